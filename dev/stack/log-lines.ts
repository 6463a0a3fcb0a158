import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Prints one line under a name. */
export type Print = (line: string) => void;

const colours = [36, 33, 35, 32, 34];

/**
 * Makes printers whose lines begin with `name | `, aligned, each name in its own colour.
 *
 * @param names all names there will be, for the width and the colours
 */
export function linePrinters(
  names: readonly string[],
  write: (text: string) => void,
  colour: boolean,
): (name: string) => Print {
  const width = Math.max(...names.map((name) => name.length));
  return (name) => {
    const code = colours[names.indexOf(name) % colours.length] ?? 37;
    const prefix = `${name.padEnd(width)} |`;
    const shown = colour ? `\u{1b}[${code}m${prefix}\u{1b}[0m` : prefix;
    return (line) => write(`${shown} ${line}\n`);
  };
}

/** Prints every line of `stream`, also an unfinished last one. */
export function printLines(stream: Readable, print: Print): void {
  createInterface({ input: stream, crlfDelay: Infinity }).on('line', print);
}
