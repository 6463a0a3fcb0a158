import { readFileSync } from 'node:fs';
import type { z } from 'zod';

/** One setting. The documented table of settings is made from these. */
interface Setting<T extends z.ZodType, F extends string | null> {
  readonly schema: T;
  /** The value where the variable is absent; null means "not set". */
  readonly fallback: F;
  readonly description: string;
  /** The fallback is public, or true of one machine alone: production refuses to start with it. */
  readonly developmentOnly?: true;
  /** How the value is found in the environment, where `readValue` is not enough. Throws ConfigError. */
  readonly read?: (env: NodeJS.ProcessEnv) => string | null;
}

/** Keeps the type of a setting's schema and fallback, from which the type of its value follows. */
export const setting = <T extends z.ZodType, const F extends string | null>(
  entry: Setting<T, F>,
): Setting<T, F> => entry;

/** A setting that is missing, malformed or not allowed in production; the message names the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * A setting as it was given: the variable itself, else the content of the file that `<NAME>_FILE`
 * names, without white space at its ends; null when neither is set.
 *
 * @throws ConfigError when the file cannot be read; the message names the variable and the file
 */
export function readValue(name: string, env: NodeJS.ProcessEnv): string | null {
  const direct = env[name];
  if (direct !== undefined && direct !== '') return direct;
  const file = env[`${name}_FILE`];
  if (file === undefined || file === '') return null;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new ConfigError(`${name}_FILE: cannot read ${file}`, { cause: error });
  }
}

const bound = (least: string, inclusive: boolean | undefined, value: number | bigint): string =>
  inclusive === false ? `must be ${least} than ${value}` : `must be ${value} or ${least}`;

/**
 * What is wrong with a value, as people say it after the name of the setting. The value is left out, since it
 * may be a secret.
 */
export function faultOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.expected === 'number') return 'must be a number';
  if (issue.code === 'invalid_type' && issue.expected === 'int') return 'must be a whole number';
  if (issue.code === 'too_small' && issue.origin === 'number')
    return bound('more', issue.inclusive, issue.minimum);
  if (issue.code === 'too_big' && issue.origin === 'number')
    return bound('less', issue.inclusive, issue.maximum);
  if (issue.code === 'too_small' && issue.origin === 'string')
    return `must have ${issue.minimum} characters or more`;
  return issue.message;
}
