import {
  approveSet,
  readApprovalSet,
  type ApprovalSet,
  type SetItem,
  type SetTotal,
} from '../../src/domain/payout/approval-set.ts';
import { id, listOf, text } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { PayoutBulkDecision } from './bulk.ts';
import { DecisionReason, passkeyTold } from './mutations.ts';

const told = {
  digest:
    'SHA-256 in hexadecimal over the digests of the items in ascending order, with a line feed after each.',
  itemDigest:
    'SHA-256 in hexadecimal over what an approval is about: amount, payee, bank account with its version and details, and the version of the policy.',
  amount: 'In minor units.',
};

const Item = builder.objectRef<SetItem>('PayoutApprovalItem').implement({
  description: 'A payout of a set, as it is at this moment.',
  fields: (t) => shown(t, { payoutId: id('The payout.'), digest: text(told.itemDigest) }),
});

const Total = builder.objectRef<SetTotal>('PayoutApprovalTotal').implement({
  description: 'What the payouts of one currency add up to.',
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'ISO 4217.' }),
    amountMinor: t.field({
      type: 'MinorUnitsTotal',
      description: told.amount,
      resolve: ({ amountMinor }) => amountMinor,
    }),
  }),
});

const Set = builder.objectRef<ApprovalSet>('PayoutApprovalSet').implement({
  description: 'Payouts that are to be approved together (payoutSetApprove).',
  fields: (t) =>
    shown(t, {
      items: listOf(Item, 'The payouts, by their ids.'),
      totals: listOf(Total, 'Their totals by currency.'),
      digest: text(told.digest),
      leftOut: t.idList({
        description: 'Those that wait for no approval, or cannot be approved.',
        resolve: ({ leftOut }) => [...leftOut],
      }),
    }),
});

const ItemInput = builder.inputType('PayoutApprovalItemInput', {
  description: 'A payout of a set.',
  fields: (t) => ({
    payoutId: t.id({ required: true, description: 'The payout.' }),
    digest: t.string({ required: true, description: told.itemDigest }),
  }),
});

const TotalInput = builder.inputType('PayoutApprovalTotalInput', {
  description: 'What the payouts of one currency add up to.',
  fields: (t) => ({
    currency: t.string({ required: true, description: 'ISO 4217.' }),
    amountMinor: t.field({ type: 'MinorUnitsTotal', required: true, description: told.amount }),
  }),
});

const SetInput = builder.inputType('PayoutApprovalSetInput', {
  description: 'A set as payoutApprovalSet gave it.',
  fields: (t) => ({
    items: t.field({ type: [ItemInput], required: true, description: 'The payouts.' }),
    totals: t.field({ type: [TotalInput], required: true, description: 'Their totals.' }),
    digest: t.string({ required: true, description: told.digest }),
  }),
});

builder.queryFields((t) => ({
  payoutApprovalSet: t.field({
    type: Set,
    nullable: true,
    description: 'What approving up to 100 payouts would be about, for payoutSetApprove.',
    args: { payoutIds: t.arg.idList({ required: true, description: 'The payouts.' }) },
    complexity: 100,
    resolve: (_root, { payoutIds }, { call }) => readApprovalSet(call, payoutIds.map(String)),
  }),
}));

builder.mutationFields((t) => ({
  payoutSetApprove: t.field({
    nullable: true,
    type: [PayoutBulkDecision],
    description:
      'Approves up to 100 payouts by the digest of the set and its totals. One that changed since, or that needs more than your approval can give, has its error; the others go on.',
    args: {
      set: t.arg({ type: SetInput, required: true, description: 'What is approved.' }),
      reasons: t.arg({ type: [DecisionReason], description: 'Why, for each.' }),
      passkey: t.arg({ type: 'JSON', description: passkeyTold }),
    },
    resolve: (_root, { set, reasons, passkey }, { call }) => {
      const items = set.items.map(({ payoutId, digest }) => ({
        payoutId: String(payoutId),
        digest,
      }));
      const totals = set.totals.map(({ currency, amountMinor }) => ({
        currency,
        amountMinor: BigInt(amountMinor),
      }));
      return approveSet(call, { digest: set.digest, items, totals }, reasons ?? [], passkey);
    },
  }),
}));
