/*
 * How long a test waits. Each waits for a condition and goes on as soon as it holds, so the bounds cost
 * nothing where nothing hangs. They are wide enough for a machine that has twenty other things to do:
 * what is slow does not fail, and what hangs still ends. No test measures by them.
 */

/** For one condition, or the answer to one call. */
export const conditionMs = 120_000;

/** For a test, and for the hooks around it. */
export const testMs = 300_000;

/** For a test that starts and kills processes, or works through very many rows or orders. */
export const longTestMs = 900_000;

/** A signal that ends a call which hangs. */
export const patience = (): AbortSignal => AbortSignal.timeout(conditionMs);
