import { BankAccount } from '../bank-account/type.ts';
import { Beneficiary } from '../beneficiary/type.ts';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { beneficiaryById, payoutById, promised, rowById, rowsByParent } from '../lists/rows.ts';
import { Event, WebhookDelivery } from '../webhook/type.ts';
import { Payout } from './type.ts';

/** From a payout to what it is about. Each link is read once for all payouts of an operation. */

const accountById = rowById((prisma, ids) =>
  prisma.bankAccount.findMany({ where: { id: { in: ids } } }),
);
const replacementsOf = rowsByParent(
  (prisma, ids) => prisma.payout.findMany({ where: { replacesPayoutId: { in: ids } } }),
  (payout) => payout.replacesPayoutId,
);
const eventsOf = rowsByParent(
  (prisma, ids) =>
    prisma.event.findMany({ where: { payoutId: { in: ids } }, orderBy: { sequence: 'asc' } }),
  (event) => event.payoutId,
);
const deliveriesOf = rowsByParent(
  (prisma, ids) =>
    prisma.webhookDelivery.findMany({ where: { eventId: { in: ids } }, orderBy: { id: 'asc' } }),
  (delivery) => delivery.eventId,
);

const replacementOf = async (context: Context, id: string) =>
  (await replacementsOf(context, id))[0] ?? null;

builder.prismaObjectFields(Payout, (t) => ({
  beneficiary: t.field({
    type: Beneficiary,
    description: 'The payee as it is today.',
    resolve: async ({ beneficiaryId }, _args, context) =>
      promised(await beneficiaryById(context, beneficiaryId)),
  }),
  bankAccount: t.field({
    type: BankAccount,
    description:
      'The destination as it is today. A payout is paid only to the details that it was created with.',
    resolve: async ({ bankAccountId }, _args, context) =>
      promised(await accountById(context, bankAccountId)),
  }),
  replaces: t.field({
    type: Payout,
    nullable: true,
    description: 'The failed or returned payout that this one replaces.',
    resolve: ({ replacesPayoutId }, _args, context) =>
      replacesPayoutId === null ? null : payoutById(context, replacesPayoutId),
  }),
  replacedBy: t.field({
    type: Payout,
    nullable: true,
    description: 'The payout that replaces this one.',
    resolve: ({ id }, _args, context) => replacementOf(context, id),
  }),
  events: t.field({
    type: [Event],
    description: 'What subscribers are told of the payout, oldest first.',
    resolve: ({ id }, _args, context) => eventsOf(context, id),
  }),
}));

builder.prismaObjectField(Event, 'deliveries', (t) =>
  t.field({
    type: [WebhookDelivery],
    description: 'Its ways to the endpoints that were registered for it, oldest first.',
    resolve: ({ id }, _args, context) => deliveriesOf(context, id),
  }),
);
