import { paidSchemeFields, payerFields } from '../../src/domain/route/fields.ts';
import { listPayers, type Payer } from '../../src/domain/route/payers.ts';
import { listOf } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';

const PaidSchemeObject = builder.objectRef<Payer['pays'][number]>('PaidScheme').implement({
  description: 'One way in which a provider pays.',
  fields: (t) => shown(t, paidSchemeFields),
});

export const PayoutProvider = builder.objectRef<Payer>('PayoutProvider').implement({
  description: 'Whoever a route may lead to: what it pays, and what it can do.',
  fields: (t) =>
    shown(t, {
      ...payerFields,
      pays: listOf(
        PaidSchemeObject,
        'A payment that none of them reaches is not paid by the provider.',
      ),
    }),
});

builder.queryField('payoutProviders', (t) =>
  t.field({
    type: [PayoutProvider],
    description:
      'To whom the routes of the tenant may lead: the providers of its environment, and its connections that are not closed.',
    resolve: (_root, _args, { call }) => listPayers(call),
  }),
);
