import { texts } from '../../texts/texts.ts';

const words = texts.import;

/** What the rows of a file would become, in numbers. */
export function checkedWords(fits: number, failed: number, earlier: number): string {
  const before = earlier > 0 ? [words.wereMade({ count: earlier })] : [];
  return [words.fit({ count: fits }), words.areRefused({ count: failed }), ...before].join(', ');
}

/** What the rows of a file became, in numbers. */
export function doneWords(made: number, failed: number, earlier: number): string {
  const before = earlier > 0 ? [words.madeBefore({ n: earlier })] : [];
  return [words.made({ count: made }), words.refused({ n: failed }), ...before].join(', ');
}
