import { randomInt } from 'node:crypto';

/** How many requests the fuzzer sends: few in the suite, 20,000 before a release. */
export const fuzzRequests = Number(process.env['FUZZ_REQUESTS'] ?? 1_500);

/** What the requests are made from; a run that failed is repeated with the seed that it printed. */
export const fuzzSeed = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31));
