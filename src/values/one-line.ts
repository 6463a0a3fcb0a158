/** A text for a terminal: on one line, and without characters that control it. */
export function oneLine(text: string): string {
  return text.replaceAll(/\r?\n/g, ' ⏎ ').replaceAll(/\p{Cc}/gu, ' ');
}
