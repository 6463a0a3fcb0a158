/**
 * Anybody can register under any name, and others read that name in a mail. A long name could carry a
 * message; the name of a company is rarely longer than this.
 */
const longestName = 80;

/** A business's name for a mail: one line, at most 80 characters as people count them. */
export function shortName(name: string): string {
  const line = name.replace(/[\s\p{C}]+/gu, ' ').trim();
  const characters = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
  if (characters.length <= longestName) return line;
  return `${characters.slice(0, longestName).join('')}…`;
}

/** What mail readers turn into a link: the marks of an address, and a dot within a domain (UTS #46, section 4). */
const linkMark = /[:/\\@]|(?<=[\p{L}\p{N}])[.。．｡](?=\p{L}{2,})/u;
const everyLinkMark = new RegExp(linkMark, 'gu');

/**
 * The short name of a business that nobody has looked at: a stranger may have chosen it to bring a link into
 * somebody else's mail, so blanks stand for what makes one.
 */
export function unlinkedName(name: string): string {
  const short = shortName(name);
  // Marks alone are no link, and better than no name.
  return shortName(short.replace(everyLinkMark, ' ')) || short;
}

/**
 * The name to greet somebody by, kept short, or null where there is none to use. Whoever invites chooses
 * it, so one that a mail reader would turn into a link is left out.
 */
export function greetableName(name: string): string | null {
  const short = shortName(name);
  return short === '' || linkMark.test(short) ? null : short;
}
