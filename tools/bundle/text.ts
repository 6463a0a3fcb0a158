/** The same program in ASCII. With one character beyond it, Node keeps a whole source with two bytes for each. */
export function inAscii(code: string): string {
  return code.replace(
    /[^\0-\u007f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
