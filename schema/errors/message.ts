/** Longest message that a caller gets about an operation that could not be read. */
const longest = 300;

/** What is looked at: the patterns below stay cheap however long a value was quoted. */
const readAtMost = 1_000;

/** From here on a syntax error quotes the document: a token, an escape, the digits of a number. */
const quotedSyntax = /(?<=\b(?:Name|Int|Float|String|BlockString|Comment)) ".*|(?<=.): ".*/su;
const suggestedNumber = /, did you mean "0\..*/su;

/** From here on an error of validation, coercion or completion quotes a value. */
const quotedValue =
  /[,;] found\b.*|\. ?Did you mean .*|(?<!\binvalid(?: default)?) value: .*|,? but (?:got: |encountered error ").*| with value .*|,? ?Received: .*/su;

/** The value of an enum stands before the name of the enum. */
const enumValue = /\bValue ".*" does not exist in ("\w+") enum.*/su;
const enumValueCut = /\bValue ".*/su;

/** Names from the caller whose form no name of GraphQL or of our contracts has. */
const oddName = /\b([Uu]nknown field|Unexpected parameter) "(?!\w{1,60}").*/su;

/** What looks like a secret, wherever it occurs: long numbers, and long words with digits. */
const secretLike = /\w*\d{5,}\w*|(?=[A-Za-z_-]*\d)[\w-]{20,}/gu;

/**
 * The error of a variable quotes the whole value that was given, then says where in it the fault is
 * and what was expected. Quotes within the value are escaped, so no part of it can look like that
 * place. When a message was cut off, only the text before the value is used.
 */
function withoutVariable(message: string, whole: boolean): string {
  const from = message.indexOf(' got invalid value ');
  if (from === -1) return message;
  const to = message.lastIndexOf('; ');
  const told = message.slice(0, from);
  if (!whole || to < from) return `${told} got an invalid value.`;
  const place = / at "[\w.[\]]{1,200}"$/u.exec(message.slice(from, to))?.[0] ?? '';
  return `${told} got an invalid value${place}${message.slice(to)}`;
}

/**
 * The message of an error of GraphQL's own, without what the caller sent. The engine quotes values,
 * and a value may be an account number or the token of a link. What is kept are the
 * names of fields, variables and types, and what was expected. 300 characters at most.
 */
export function withoutValues(message: string): string {
  const read = message.slice(0, readAtMost);
  const cut = read.startsWith('Syntax Error: ')
    ? read.slice('Syntax Error: '.length).replace(quotedSyntax, '.').replace(suggestedNumber, '.')
    : read
        .replace(enumValue, 'The value does not exist in the $1 enum.')
        .replace(enumValueCut, 'The value does not exist in the enum.')
        .replace(quotedValue, (found) => (found.includes('value: ') ? ' value.' : '.'))
        .replace(oddName, '$1.');
  const told = withoutVariable(cut, read === message)
    .replaceAll(secretLike, '****')
    .slice(0, longest);
  return read.startsWith('Syntax Error: ') ? `Syntax Error: ${told}` : told;
}

/** A name that a caller made up, as it may be told: not at all where it could hide a secret. */
export function nameToTell(name: string): string {
  return /^\w{1,60}$/u.test(name) ? name.replaceAll(secretLike, '****') : '****';
}
