import { expect, it } from 'vitest';
import { readCsv, writeCsv } from '../../console/src/values/csv.ts';

const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
const before = ['', 'a;', 'a\t', 'a\n', 'a\r', 'a;"', 'a; ', ';;', 'a;=1;'];
const hostile = signs.flatMap((sign) => before.map((text) => `${text}${sign}1`));

it('writes no part of a cell that a spreadsheet would run, wherever it cuts', () => {
  const text = writeCsv(hostile.map((cell) => ['x', cell, 'y']));
  for (const cut of [/[;\t\r\n]/, /[,;\t\r\n]/]) {
    const pieces = text.split(cut).map((piece) => piece.replace(/^["\s]*/, ''));
    expect(pieces.filter((piece) => signs.includes(piece.slice(0, 1)))).toEqual([]);
  }
});

it('reads what it wrote as it was, and leaves other apostrophes', () => {
  const cells = [...hostile, "O'Hara", 'a; b', 'x=1', "it's"];
  const read = readCsv(writeCsv(cells.map((cell) => ['x', cell])));
  expect(read.map((record) => record.cells[1])).toEqual(cells);
});
