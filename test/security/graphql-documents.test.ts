import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { isErrorCode } from '../../src/errors/catalogue.ts';
import { randomFrom } from '../support/random.ts';
import { makeTenant } from '../support/factory.ts';
import { hostile, shapes, type ShapeName } from './hostile-documents.ts';
import { longestHold } from './loop-hold.ts';
import { useHarness } from '../support/use-harness.ts';

/**
 * Longest time that one document may keep the process from everybody else: 50 ms, or as long as this
 * machine needs at that moment to read the longest body ten times, where that is more.
 */
function longestAllowed(): number {
  return Math.max(50, 10 * timeToRead());
}

const longestBody = JSON.stringify({ list: Array.from({ length: 100_000 }, () => 'settled') });

/** Milliseconds of this thread's processor time for reading a body of a megabyte as JSON. */
function timeToRead(): number {
  const before = process.threadCpuUsage();
  JSON.parse(longestBody);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

const documents = 800;
let key: string;

const harness = useHarness({ worker: false });

beforeAll(async () => {
  ({ key } = await makeTenant(harness));
});

async function ask(body: string, keyed: boolean): Promise<string> {
  const headers = {
    'content-type': 'application/json',
    ...(keyed ? { authorization: `Bearer ${key}` } : {}),
  };
  return (await fetch(`${harness.baseUrl}/graphql`, { method: 'POST', headers, body })).text();
}

/** Sizes of which the small ones are as likely as the large ones. */
const size = fc.nat({ max: 1_000 }).map((exponent) => Math.round(3_000 ** (exponent / 1_000)));

const attack = fc.record({
  shape: fc.constantFrom(...(Object.keys(shapes) as ShapeName[])),
  n: size,
  m: size,
  seed: fc.nat(),
  keyed: fc.boolean(),
});

/**
 * How often a document that was held too long is sent again. What is really long is long in every run; a
 * busy machine charges this thread for the caches that others emptied, in some of them.
 */
const tries = 12;

/**
 * By how much a document held the process too long in the best of some runs, and the answer to it: the
 * first run of a function is slow, and a collection of garbage may come at any time.
 */
async function excess(body: string, keyed: boolean): Promise<{ least: number; answer: string }> {
  let least = Infinity;
  let answer = '';
  for (let run = 0; run < tries && least > 0; run += 1) {
    const held = await longestHold(async () => {
      answer = await ask(body, keyed);
    });
    least = Math.min(least, held - longestAllowed());
  }
  return { least, answer };
}

describe('a hostile document', () => {
  // A failure prints the seed and the path that repeat it, and the smallest attack of its kind.
  it('never holds the event loop, nor is it a fault of ours', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(attack, async ({ shape, n, m, seed, keyed }) => {
        const body = JSON.stringify(hostile(shape, { n, m, random: randomFrom(seed) }));
        const { least, answer } = await excess(body, keyed);
        expect(least, 'milliseconds too long').toBeLessThanOrEqual(0);
        const { errors = [] } = JSON.parse(answer) as {
          errors?: { message: string; extensions: { code: unknown } }[];
        };
        for (const { message, extensions } of errors) {
          expect(extensions.code).not.toBe('internal_error');
          expect(isErrorCode(extensions.code), message).toBe(true);
          expect(message.length).toBeLessThanOrEqual(300);
        }
      }),
      { numRuns: documents, endOnFailure: true },
    );
  });
});
