import { expect, it } from 'vitest';
import { documentFault, documentTypeOf } from '../../../src/domain/collection/document.ts';
import { files } from '../../support/collection.ts';

it('knows a file by its content', () => {
  expect(documentTypeOf(files.pdf)).toBe('application/pdf');
  expect(documentTypeOf(files.png)).toBe('image/png');
  expect(documentTypeOf(files.jpeg)).toBe('image/jpeg');
  // A view of a larger buffer, as a form's parser may give.
  const larger = Buffer.concat([Buffer.from('front'), files.png, Buffer.from('back')]);
  expect(documentTypeOf(larger.subarray(5, 5 + files.png.length))).toBe('image/png');
});

it('takes nothing that only begins like one, ends like one, or is one further in', () => {
  for (const file of Object.values(files)) {
    for (const cut of [4, 8, 12, file.length - 4]) {
      expect(documentTypeOf(file.subarray(0, cut))).toBeNull();
    }
    if (file === files.pdf) continue;
    expect(documentTypeOf(Buffer.concat([Buffer.from('\n'), file]))).toBeNull();
  }
  for (const text of ['', 'GIF89a', '<html>%PDF-1.7 %%EOF', 'PK\u0003\u0004', '%PDF-x %%EOF']) {
    expect(documentTypeOf(Buffer.from(text))).toBeNull();
  }
});

it('takes a PDF that begins within the first kilobyte, unless a page may stand before it', () => {
  const after = (prelude: string) =>
    documentTypeOf(Buffer.concat([Buffer.from(prelude), files.pdf]));
  expect(after('\ufeff\r\n')).toBe('application/pdf');
  expect(after('x'.repeat(1_016))).toBe('application/pdf');
  expect(after('x'.repeat(1_017))).toBeNull();
  expect(after('\n<script>')).toBeNull();
});

it('ends on any bytes', () => {
  let seed = 7;
  const next = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) >> 16;
  for (let round = 0; round < 2_000; round += 1) {
    const bytes = Buffer.from(Array.from({ length: next() % 64 }, () => next() & 0xff));
    expect(documentTypeOf(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), bytes]))).toBeOneOf([
      null,
      'image/jpeg',
    ]);
  }
});

it('is taken up to 10 MiB', () => {
  const mebibyte = 1024 * 1024;
  const tail = Buffer.from('%%EOF\n');
  const pdf = (size: number) =>
    Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(size - 9 - tail.length, ' '), tail]);
  expect(documentFault(pdf(3 * mebibyte), 3)).toBeNull();
  expect(documentFault(pdf(3 * mebibyte + 1), 3)?.code).toBe('file_too_large');
  expect(documentFault(Buffer.from('x'), 3)?.code).toBe('file_type_unsupported');
  for (const none of [null, undefined, Buffer.alloc(0)]) {
    expect(documentFault(none, 3)?.code).toBe('required');
  }
});
