import type { SourceFile } from './files.ts';

const longest = 400;
const medianBelow = 100;

const linesOf = ({ text }: SourceFile): number => text.trimEnd().split('\n').length;

/** What is too long: single files, and the median of all. Empty when nothing is. */
export function tooLong(files: readonly SourceFile[]): string[] {
  const lengths = files.map(linesOf).toSorted((one, other) => one - other);
  const median = lengths[Math.floor(lengths.length / 2)] ?? 0;
  const single = files
    .filter((file) => linesOf(file) > longest)
    .map((file) => `${file.path} has ${linesOf(file)} lines; ${longest} are allowed`);
  if (median < medianBelow) return single;
  return [
    ...single,
    `half of all files have ${median} lines or more; it must be under ${medianBelow}`,
  ];
}
