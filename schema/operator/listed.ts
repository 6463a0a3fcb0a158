import type { OfTenant, OfTenantOrNone, OperatorPage } from '../../src/domain/operator/list.ts';
import type { OperatorCall } from '../../src/process/services.ts';
import { id, of, text } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { EnvironmentEnum } from '../business/enums.ts';
import type { Context } from '../context.ts';
import { operatorPage } from './page.ts';

export const OperatorListed = builder.interfaceRef<OfTenant>('OperatorListed').implement({
  description: 'A row of a list for operators: whose it is, as the commands have to name it.',
  fields: (t) =>
    shown(t, {
      businessId: id('The business.'),
      companyName: text('Name of the business.'),
      environment: of(EnvironmentEnum, 'Which tenant of the business.'),
    }),
});

/** Whose account at a bank a row is about. */
export const ofConnection = {
  connectionId: id('The bank connection.'),
  connection: text('How people call the connection.'),
};

/** Of a row that operators work on. */
export const taken = {
  takenBy: text.orNull(
    'Which operator works on it, since when and with what note; null for nobody.',
  ),
};

/** The same of a row that may be of no tenant. */
export const OperatorPlace = builder.objectRef<OfTenant>('OperatorPlace').implement({
  description: 'Whose something is, as the commands have to name it.',
  interfaces: [OperatorListed],
});

/** The tenant of a row; null for one that is of none. */
export function placeOf({ businessId, companyName, environment }: OfTenantOrNone): OfTenant | null {
  if (businessId === null || companyName === null || environment === null) return null;
  return { businessId, companyName, environment };
}

interface ListArgs {
  readonly businessId?: string | null | undefined;
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

/** One page of a list that can be of one business. */
export function listPage<Row>(
  list: string,
  read: (call: OperatorCall, page: OperatorPage) => Promise<Row[]>,
  position: (row: Row) => string,
) {
  return (_root: object, { first, after, ...args }: ListArgs, context: Context) => {
    const businessId = args.businessId ?? null;
    return operatorPage(context, {
      list,
      filter: { businessId },
      first,
      after,
      fetch: (call, at, take) => read(call, { businessId, after: at, take }),
      position,
    });
  };
}
