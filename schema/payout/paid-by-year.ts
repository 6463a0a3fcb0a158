import {
  mostAddedUp,
  readPaidByYear,
  type PaidByYear,
  type PaidInYear,
} from '../../src/domain/payout/paid-by-year.ts';
import { bool, int, listOf, minorUnitsTotal, text } from '../../src/values/columns.ts';
import { Beneficiary } from '../beneficiary/type.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { loadBy } from '../lists/loader.ts';

const PaidInYearObject = builder.objectRef<PaidInYear>('PaidInYear').implement({
  description: 'What has arrived at a beneficiary in one year and currency.',
  fields: (t) =>
    shown(t, {
      year: int('The year of the day in UTC on which it arrived.'),
      currency: text('ISO 4217 code.'),
      count: int('How many payouts.'),
      amountMinor: minorUnitsTotal('What they come to, in minor units of currency.'),
    }),
});

const PaidByYearObject = builder.objectRef<PaidByYear>('PaidByYear').implement({
  description:
    'What has arrived at a beneficiary, by year and currency. What came back is no part of it.',
  fields: (t) =>
    shown(t, {
      years: listOf(PaidInYearObject, 'The latest year first.'),
      whole: bool(
        `Whether all payouts of the beneficiary are added up; of more than ${mostAddedUp.toLocaleString('en')} the newest are.`,
      ),
    }),
});

const paidByYearOf = loadBy(readPaidByYear, (id) => id);

builder.prismaObjectField(Beneficiary, 'paidByYear', (t) =>
  t.field({
    type: PaidByYearObject,
    description: 'What has arrived, by year and currency.',
    // It adds up thousands of payouts, so an operation shows it of a few beneficiaries.
    complexity: { field: 100 },
    resolve: ({ id }, _args, context) => paidByYearOf(context, id),
  }),
);
