import type { z } from 'zod';
import { catalogue } from '../../src/errors/catalogue.ts';
import type { FieldError } from '../../src/errors/domain-error.ts';
import { fieldErrors } from '../../src/values/field-errors.ts';
import { toCamelCase, toSnakeCase } from '../http/case.ts';

/** Why a row of a bulk request failed, as GraphQL tells it. */
export interface RowFailure {
  readonly code: string;
  readonly message: string;
  readonly details: readonly FieldError[];
}

/** The rows of a bulk request as they were sent, under which name, and the contract of each. */
export interface SentRows {
  readonly list: string;
  readonly schema: z.ZodType;
  readonly rows: readonly unknown[];
}

/** A row in GraphQL's names; null for one that does not fit its contract, which then fails alone. */
export function toInput(schema: z.ZodType, row: unknown): unknown {
  const result = schema.safeParse(row);
  return result.success ? toCamelCase(result.data) : null;
}

/** What is wrong with the shape of a row, the path of its fields from the request's root. */
function shapeErrors({ list, schema, rows }: SentRows, index: number): FieldError[] {
  const row = rows[index];
  const result = schema.safeParse(row);
  if (index >= rows.length || result.success) return [];
  return fieldErrors(result.error, row).map((error) => ({
    ...error,
    field: `${list}[${index}]${error.field === '' ? '' : `.${error.field}`}`,
  }));
}

/** A row's error as REST says it, null for none; for a malformed row the contract knows the fields. */
export function rowErrorBody(error: RowFailure | null, sent: SentRows, index: number) {
  if (error === null) return null;
  const shape = shapeErrors(sent, index);
  const details = shape.length > 0 ? shape : error.details;
  return {
    code: error.code,
    message: shape.length > 0 ? catalogue.validation_failed.meaning : error.message,
    ...(details.length === 0
      ? {}
      : { details: details.map((detail) => ({ ...detail, field: toSnakeCase(detail.field) })) }),
  };
}
