/**
 * Somebody who need not be who they say chooses the name that somebody else reads in a mail. Long
 * names carry messages; a company's own rarely passes this.
 */
const longestName = 80;

/** A business's name for a mail: one line, at most 80 characters as people count them. */
export function shortName(name: string): string {
  const line = name.replace(/[\s\p{C}]+/gu, ' ').trim();
  const characters = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
  if (characters.length <= longestName) return line;
  return `${characters.slice(0, longestName).join('')}…`;
}
