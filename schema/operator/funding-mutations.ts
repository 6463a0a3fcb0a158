import type { LedgerEntry } from '../../generated/prisma/client.ts';
import {
  recordFundingByOperator,
  setFundingMode,
  type OperatorLedger as Books,
} from '../../src/domain/operator/funding.ts';
import type { FundingRecordOrder } from '../../src/domain/operator/input.ts';
import type { CurrencyBalance } from '../../src/domain/ledger/books.ts';
import { builder } from '../builder.ts';
import { describedValues } from '../common/enum-values.ts';
import { LedgerModeEnum } from '../ledger/type.ts';
import { businessArg, reasonArg } from './args.ts';

const FundingKindEnum = builder.enumType('OperatorFundingKind', {
  description: 'How money came or went that no payout moved.',
  values: describedValues<FundingRecordOrder['kind']>({
    funding: 'It came in.',
    withdrawal: 'It went out.',
    fee: 'A provider or a bank took it as a fee.',
  }),
});

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
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    postedMinor: t.expose('postedMinor', {
      type: 'MinorUnitsTotal',
      description: 'Posted funds, in minor units of currency.',
    }),
    heldMinor: t.expose('heldMinor', {
      type: 'MinorUnitsTotal',
      description: 'Held for approved payouts, in minor units of currency.',
    }),
    availableMinor: t.expose('availableMinor', {
      type: 'MinorUnitsTotal',
      description: 'Posted less held, in minor units of currency.',
    }),
  }),
});

const OperatorLedger = builder.objectRef<Books>('OperatorLedger').implement({
  description: "The books of a business's production funds.",
  fields: (t) => ({
    id: t.exposeID('businessId', { description: 'Id of the business.' }),
    mode: t.expose('mode', { type: LedgerModeEnum, description: 'Whether funds are enforced.' }),
    changedAt: t.expose('changedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the mode was set; null if it never was.',
    }),
    balances: t.field({
      type: [OperatorBalance],
      description: 'One line for each currency in which something was booked.',
      resolve: (books) => [...books.balances],
    }),
  }),
});

const OperatorLedgerEntry = builder.objectRef<LedgerEntry>('OperatorLedgerEntry').implement({
  description: 'An entry that an operator booked.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the entry.' }),
    kind: t.field({
      type: FundingKindEnum,
      description: 'How the money came or went.',
      // The column's CHECK constraint holds these values for an entry with a source.
      resolve: (entry) => entry.kind as FundingRecordOrder['kind'],
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    amountMinor: t.expose('amountMinor', {
      type: 'MinorUnits',
      description: 'Minor units of currency.',
    }),
    recordedAt: t.expose('recordedAt', { type: 'DateTime', description: 'When it was booked.' }),
  }),
});

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
