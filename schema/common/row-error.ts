import type { DomainError } from '../../src/errors/domain-error.ts';
import { json, text } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from './fields.ts';

type RowFailure = Pick<DomainError, 'code' | 'message' | 'details'>;

/** The error as plain data: an Error that a resolver returns would count as thrown. */
export function rowFailure(error: DomainError | null): RowFailure | null {
  return error === null
    ? null
    : { code: error.code, message: error.message, details: error.details };
}

export const RowError = builder.objectRef<RowFailure>('RowError').implement({
  description: 'Why a row of a bulk request failed.',
  fields: (t) =>
    shown(t, {
      code: text('Code of the error catalogue.'),
      message: text('The same in words.'),
      details: json(
        'Rejected fields as {field, code, message}; of FUNDING_INSUFFICIENT also currency, available_minor and shortfall_minor, in minor units of currency. Empty for other errors.',
      ),
    }),
});
