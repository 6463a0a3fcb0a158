import type { Config } from './config.ts';

/**
 * Makes a function that answers with the one T of this process, made when it is first asked for. The
 * settings stand for the process: the parts that a call is given may be copies, their settings are not.
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
