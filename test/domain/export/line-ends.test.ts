import fc from 'fast-check';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { WindowsLineEnds } from '../../../src/domain/export/line-ends.ts';

/** Runs the text through, cut into chunks of the given sizes. */
async function through(text: string, size: number): Promise<string> {
  const bytes = Buffer.from(text);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  return (await buffer(Readable.from(chunks).pipe(new WindowsLineEnds()))).toString();
}

describe('WindowsLineEnds', () => {
  it.each([
    ['a,b\n1,2\n', 'a,b\r\n1,2\r\n'],
    ['"a\nb",c\n', '"a\nb",c\r\n'],
    ['"say ""hi""\nthere"\n', '"say ""hi""\nthere"\r\n'],
    ['"",\n', '"",\r\n'],
    ['"a\r\nb"\n', '"a\r\nb"\r\n'],
    ['Zoë 💸 "\n"\n', 'Zoë 💸 "\n"\r\n'],
    ['', ''],
  ])('%j becomes %j', async (given, expected) => {
    for (const size of [1, 2, 3, 1000]) expect(await through(given, size)).toBe(expected);
  });

  it('changes nothing but line ends between records, however the bytes are cut', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', '\n', '\r', ',', 'é', '💸') });
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 7 }), async (rows, size) => {
        const write = (end: string) =>
          rows
            .map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(',') + end)
            .join('');
        expect(await through(write('\n'), size)).toBe(write('\r\n'));
      }),
    );
  });
});
