import type { z } from 'zod';
import { invalid } from '../errors/domain-error.ts';
import { fieldErrors } from './field-errors.ts';

/** Parses input by a schema; throws `validation_failed` with a detail for each rejected field. */
export function parseInput<T extends z.ZodType>(schema: T, input: unknown): z.output<T> {
  const result = schema.safeParse(input);
  if (!result.success) throw invalid(fieldErrors(result.error, input));
  return result.data;
}
