import type { PayoutOrderField } from '../../src/domain/payout/list/orders.ts';
import { builder } from '../builder.ts';
import { describedEnum } from '../common/described-enum.ts';
import { PayoutStateEnum } from './enums.ts';

const OrderDirectionEnum = describedEnum<'asc' | 'desc'>(
  'OrderDirection',
  'Direction of an order.',
  {
    asc: 'Smallest, oldest or first in the alphabet first.',
    desc: 'Largest, newest or last in the alphabet first.',
  },
);

const PayoutOrderFieldEnum = describedEnum<PayoutOrderField>(
  'PayoutOrderField',
  'What payouts are ordered by.',
  {
    created_at: 'Time of creation.',
    updated_at: 'Time of the last change.',
    amount: 'Amount, in the one currency that the filter names.',
    payee_name: 'Legal name of the payee by its letters, ignoring case.',
    approved_at: 'Time of the approval; only payouts that are approved.',
    disbursed_at: 'When the money left; only payouts of which it did.',
    settled_at: 'When the money arrived; only payouts of which it did.',
  },
);

export const PayoutOrderInput = builder.inputType('PayoutOrder', {
  description: 'Order of a list of payouts.',
  fields: (t) => ({
    field: t.field({ type: PayoutOrderFieldEnum, required: true, description: 'What it is by.' }),
    direction: t.field({
      type: OrderDirectionEnum,
      required: true,
      defaultValue: 'desc',
      description: 'desc by default.',
    }),
  }),
});

export const PayoutFilter = builder.inputType('PayoutFilter', {
  description:
    'Conditions; all of them must hold. state, currency, provider and failureCode combine freely, with one range: times of one step, an amount or a name. Another combination is unsupported_combination (docs/dashboards.md).',
  fields: (t) => {
    const since = (what: string) =>
      t.field({ type: 'DateTime', description: `${what} at this time or later.` });
    const before = (what: string) =>
      t.field({ type: 'DateTime', description: `${what} before this time.` });
    return {
      state: t.field({ type: [PayoutStateEnum], description: 'One of these states.' }),
      currency: t.string({ description: 'In this currency, an ISO 4217 code.' }),
      provider: t.string({ description: 'Whose latest attempt went to this provider.' }),
      failureCode: t.string({ description: 'Failed or returned with this code.' }),
      beneficiaryId: t.id({ description: 'Paid to this beneficiary.' }),
      externalRef: t.string({ description: 'With this reference of the business.' }),
      idempotencyKey: t.string({ description: 'Created with this key.' }),
      updatedSince: t.string({
        description:
          'Changed at or after this ISO 8601 time. The list then runs oldest change first, so that a poller can resume; the youngest changes are held back until no earlier one can still be committed.',
      }),
      updatedBefore: before('Last changed'),
      createdSince: since('Created'),
      createdBefore: before('Created'),
      approvedSince: since('Approved'),
      approvedBefore: before('Approved'),
      disbursedSince: since('Disbursed'),
      disbursedBefore: before('Disbursed'),
      settledSince: since('Settled'),
      settledBefore: before('Settled'),
      amountMinorFrom: t.field({
        type: 'MinorUnits',
        description: 'This amount or more, in minor units of currency, which must be given.',
      }),
      amountMinorTo: t.field({
        type: 'MinorUnits',
        description: 'This amount or less, in minor units of currency, which must be given.',
      }),
      payeeName: t.string({
        description:
          "The payee's legal name at the creation begins with this text, ignoring case; 64 characters at most.",
      }),
      replaced: t.boolean({
        description:
          'Whether another payout replaces it. A page looks at 1,000 payouts of each state at most, and may be short and still have a next one.',
      }),
      waitingMinutes: t.int({
        description:
          'Waits for so many minutes or longer, in pending_approval or compliance_hold. The list then runs longest wait first.',
      }),
    };
  },
});
