import type { LedgerEntry } from '../../generated/prisma/client.ts';
import {
  readLedgerByOperator,
  recordFundingByOperator,
  setFundingMode,
  type OperatorLedger as Books,
} from '../../src/domain/operator/funding.ts';
import type { FundingRecordOrder } from '../../src/domain/operator/input.ts';
import type { CurrencyBalance } from '../../src/domain/ledger/books.ts';
import {
  id,
  listOf,
  minorUnits,
  minorUnitsTotal,
  of,
  stored,
  text,
  time,
} from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { describedEnum } from '../common/described-enum.ts';
import { LedgerModeEnum } from '../ledger/type.ts';
import { businessArg, reasonArg } from './args.ts';

const FundingKindEnum = describedEnum<FundingRecordOrder['kind']>(
  'OperatorFundingKind',
  'How money came or went that no payout moved.',
  {
    funding: 'It came in.',
    withdrawal: 'It went out.',
    fee: 'A provider or a bank took it as a fee.',
  },
);

const OpeningBalance = builder.inputType('OperatorOpeningBalanceInput', {
  description: 'What a business has in a currency when enforcing begins.',
  fields: (t) => ({
    currency: t.string({ required: true, description: 'ISO 4217 code.' }),
    availableBalanceMinor: t.field({
      type: 'MinorUnits',
      required: true,
      description:
        'Minor units of currency, 0 to 999,999,999,999. It includes what is held for approved payouts.',
    }),
  }),
});

const OperatorBalance = builder.objectRef<CurrencyBalance>('OperatorLedgerBalance').implement({
  description: 'What a business has in a currency, by its ledger.',
  fields: (t) =>
    shown(t, {
      currency: text('ISO 4217 code.'),
      postedMinor: minorUnitsTotal('Posted funds, in minor units of currency.'),
      heldMinor: minorUnitsTotal('Held for approved payouts, in minor units of currency.'),
      availableMinor: minorUnitsTotal('Posted less held, in minor units of currency.'),
    }),
});

const OperatorLedger = builder.objectRef<Books>('OperatorLedger').implement({
  description: "The books of a business's production funds.",
  fields: (t) =>
    shown(t, {
      id: t.exposeID('businessId', { description: 'Id of the business.' }),
      mode: of(LedgerModeEnum, 'Whether funds are enforced.'),
      changedAt: time.orNull('When the mode was set; null if it never was.'),
      balances: listOf(
        OperatorBalance,
        'One line for each currency in which something was booked.',
      ),
    }),
});

const OperatorLedgerEntry = builder.objectRef<LedgerEntry>('OperatorLedgerEntry').implement({
  description: 'An entry that an operator booked.',
  fields: (t) =>
    shown(t, {
      id: id('Id of the entry.'),
      kind: stored(FundingKindEnum, 'How the money came or went.'),
      currency: text('ISO 4217 code.'),
      amountMinor: minorUnits('Minor units of currency.'),
      recordedAt: time('When it was booked.'),
    }),
});

builder.queryField('operatorLedger', (t) =>
  t.field({
    type: OperatorLedger,
    description:
      "Operators only. The books of a business's production funds. Throws not_found for the business.",
    args: { ...businessArg() },
    complexity: { field: 20 },
    resolve: (_root, { businessId }, context) =>
      readLedgerByOperator(context.operatorCall, businessId),
  }),
);

builder.mutationFields((t) => ({
  operatorFundingModeSet: t.field({
    nullable: true,
    type: OperatorLedger,
    description:
      "Operators only. Sets whether approvals of a business's production payouts are refused without funds.",
    args: {
      ...businessArg(),
      mode: t.arg({ type: LedgerModeEnum, required: true, description: 'The mode.' }),
      openingBalances: t.arg({
        type: [OpeningBalance],
        description:
          'Required with enforced: what the business has. The difference to the posted funds is booked.',
      }),
      ...reasonArg(),
    },
    resolve: (_root, args, context) => setFundingMode(context.operatorCall, args),
  }),
  operatorFundingRecord: t.field({
    nullable: true,
    type: OperatorLedgerEntry,
    description:
      "Operators only. Books money that came into a business's production funds, went out or was taken as a fee; once for each source.",
    args: {
      ...businessArg(),
      kind: t.arg({ type: FundingKindEnum, required: true, description: 'How it came or went.' }),
      currency: t.arg.string({ required: true, description: 'ISO 4217 code.' }),
      amountMinor: t.arg({
        type: 'MinorUnits',
        required: true,
        description: 'Minor units of currency, 1 to 999,999,999,999.',
      }),
      source: t.arg.string({
        required: true,
        description:
          'What it is known from, for example a line of a statement; up to 200 characters.',
      }),
      ...reasonArg(),
    },
    resolve: (_root, args, context) => recordFundingByOperator(context.operatorCall, args),
  }),
}));
