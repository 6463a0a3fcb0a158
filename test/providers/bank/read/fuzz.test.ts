import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BankFileProblem } from '../../../../src/providers/bank/problem.ts';
import { fuzzSeed, rails, railsMissing } from '../config.ts';
import { chunksOf, entry, readAll, sampleBytes, statement } from './support.ts';

const folders = ['iso20022/samples', 'nacha'];

/** The files of others where they are, and one of the tests' own everywhere. */
function seeds(): Buffer[] {
  const own = Buffer.from(statement(entry('<NtryDtls><TxDtls/></NtryDtls>')));
  if (railsMissing !== null) return [own];
  const samples = folders.flatMap((folder) =>
    readdirSync(join(rails, folder)).map((name) => sampleBytes(join(folder, name))),
  );
  return [own, ...samples];
}

const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  kind: fc.constantFrom('replace', 'insert', 'cut', 'repeat', 'end'),
  bytes: fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 8 }),
    fc
      .constantFrom(
        '<',
        '>',
        '&',
        '<!DOCTYPE a>',
        '<![CDATA[',
        ']]>',
        '<!--',
        '</Ntry>',
        '<Ntry>',
        '"',
        '9',
        '\n',
        '&amp;',
        '<?x ?>',
        ' xmlns=""',
      )
      .map((text) => Buffer.from(text)),
  ),
  length: fc.integer({ min: 1, max: 300 }),
});
type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

function mutate(file: Buffer, { at, kind, bytes, length }: Mutation): Buffer {
  const start = Math.floor(at * file.length);
  const before = file.subarray(0, start);
  const after = file.subarray(start);
  switch (kind) {
    case 'replace':
      return Buffer.concat([before, bytes, after.subarray(bytes.length)]);
    case 'insert':
      return Buffer.concat([before, bytes, after]);
    case 'cut':
      return Buffer.concat([before, after.subarray(length)]);
    case 'repeat':
      return Buffer.concat([before, after.subarray(0, length), after]);
    case 'end':
      return before;
  }
}

it(`mutated files are read or have a named problem ${railsMissing ?? ''}`, async () => {
  const files = seeds();
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...files),
      fc.array(mutation, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 2_000 }),
      async (file, mutations, length) => {
        const mutated = mutations.reduce(mutate, file);
        try {
          await readAll(chunksOf(mutated, length));
        } catch (error) {
          if (!(error instanceof BankFileProblem)) throw error;
          refused += 1;
          expect(error.message.length).toBeLessThan(1_000);
        }
      },
    ),
    { seed: fuzzSeed, numRuns: 600 },
  );
  expect(refused).toBeGreaterThan(100);
});
