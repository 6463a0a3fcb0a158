/** What a bench gives its programs; empty where it gave nothing. */
export function env(name: string): string {
  return process.env[name] ?? '';
}

/** This process's environment with more for a child. */
export function childEnvironment(more: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, ...more };
}

/** The PostgreSQL that a bench is given, in place of one of its own with the default settings. */
export const givenPostgres =
  env('BENCH_OWNER_URL') === ''
    ? null
    : { url: env('BENCH_OWNER_URL'), serviceUrl: env('BENCH_SERVICE_URL') };

/** With `BENCH_SMALL=1` a bench only shows within seconds that it runs; a test does so, with programs that it has made. */
export const small = env('BENCH_SMALL') === '1';

/** How much a bench does: what measures, or what shows that it runs. */
export function sizes<const Names extends string>(
  measured: Readonly<Record<Names, number>>,
  few: Readonly<Record<Names, number>>,
): Readonly<Record<Names, number>> {
  return small ? few : measured;
}
