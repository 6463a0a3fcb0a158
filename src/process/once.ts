import type { Config } from './config.ts';

/**
 * Makes a function that returns one T for each process, made at the first call. It is kept for each
 * settings object, since a process has one of these, while the other parts of a call may be copies.
 */
export function oncePerProcess<T>(
  make: (config: Config) => T,
): (services: { readonly config: Config }) => T {
  const made = new WeakMap<Config, { readonly value: T }>();
  return ({ config }) => {
    const known = made.get(config) ?? { value: make(config) };
    made.set(config, known);
    return known.value;
  };
}
