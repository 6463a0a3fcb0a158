import { requirePermission } from '../../src/access/scope.ts';
import {
  previewRoutes,
  type RoutedPayouts,
  type ShownWay,
} from '../../src/domain/route/preview.ts';
import { id, int, minorUnitsTotal, of, stored, text, texts } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { describedEnum } from '../common/described-enum.ts';
import { shown } from '../common/fields.ts';
import { BankSchemeEnum } from './enums.ts';
import { routesArg } from './input.ts';

const PayoutWayKindEnum = describedEnum<ShownWay['kind']>(
  'PayoutWayKind',
  'What becomes of a payout by a list of routes.',
  {
    rail: 'It is paid by the provider or the bank.',
    unwritable: 'The first route that matches leads to a bank, whose files cannot hold it.',
    away: 'The first route that matches leads to a provider that is not there: it waits.',
    none: 'No route matches: it waits.',
  },
);

const PayoutWay = builder.objectRef<ShownWay>('PayoutWay').implement({
  description: 'Where a payout goes by a list of routes.',
  fields: (t) =>
    shown(t, {
      kind: of(PayoutWayKindEnum, 'What becomes of it.'),
      provider: text.orNull(
        'Name of the provider; bank: and the id of a connection for a bank. Null where it goes nowhere.',
      ),
      connectionId: id.orNull('The bank connection; null for a provider that is called.'),
      scheme: stored.orNull(BankSchemeEnum, 'How the bank would pay it; null where it is no bank.'),
      problems: texts('Why the files of the bank cannot hold it, one sentence for each reason.'),
    }),
});

export const RoutedPayoutsObject = builder.objectRef<RoutedPayouts>('RoutedPayouts').implement({
  description:
    'Payouts of one currency that have one way now and one way by the routes that are tried.',
  fields: (t) =>
    shown(t, {
      currency: text('ISO 4217 code.'),
      count: int('How many they are.'),
      amountMinor: minorUnitsTotal('What they come to, in minor units of currency.'),
      before: of(PayoutWay, 'Where they go by the routes as they are.'),
      after: of(PayoutWay, 'Where they would go.'),
      payoutId: id('The latest of them.'),
    }),
});

/** It describes each of the payouts. */
export const previewCost = { field: 250 };

builder.queryField('payoutRoutesPreview', (t) =>
  t.field({
    type: [RoutedPayoutsObject],
    description:
      'Tells where the latest 100 payouts go by the routes as they are, and where they would go by others. It changes nothing.',
    args: routesArg(),
    complexity: previewCost,
    resolve: (_root, args, { call }) => {
      requirePermission(call.scope, 'read');
      return previewRoutes(call, args);
    },
  }),
);
