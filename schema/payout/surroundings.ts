import { readReplacementChains } from '../../src/domain/payout/chain.ts';
import {
  readLaterChanges,
  type laterChangeKinds,
  type LaterChange,
} from '../../src/domain/payout/facts/changes.ts';
import {
  readDestinations,
  type PayoutDestination as Destination,
} from '../../src/domain/payout/facts/destination.ts';
import {
  readSimilarPayouts,
  type SimilarPayout as Similar,
  type SimilarPayouts as AllSimilar,
} from '../../src/domain/payout/facts/similar.ts';
import { readFailedBefore } from '../../src/domain/payout/facts/failed-before.ts';
import { Author, authorOf } from '../access/author.ts';
import { bool, id, int, listOf, of, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { describedEnum } from '../common/described-enum.ts';
import { childrenCost } from '../lists/children.ts';
import { loadBy } from '../lists/loader.ts';
import { promised } from '../lists/rows.ts';
import { PayoutCreatePayload } from './mutations.ts';
import { Payout } from './type.ts';

/** What stands around a payout, for the person who decides on it. Each is read once for all payouts of an operation. */

const PayoutDestination = builder.objectRef<Destination>('PayoutDestination').implement({
  description: 'Where a payout goes: the details of the account that it was created with.',
  fields: (t) =>
    shown(t, {
      accountHolderName: text('Legal name on the account.'),
      bankName: text.orNull('Name of the bank.'),
      country: text('Country of the bank, alpha-2.'),
      currency: text('ISO 4217.'),
      maskedAccount: text.orNull(
        'The account number, the IBAN or the like, of which the last four characters are shown; null once the payee is erased.',
      ),
      since: time('When the account got these details.'),
      changedAt: time.orNull('When the account got others; null while these are its details.'),
    }),
});

const ChangeKindEnum = describedEnum<(typeof laterChangeKinds)[number]>(
  'PayoutLaterChangeKind',
  'What can change of a payee and its accounts after a payout was created.',
  {
    account_changed: 'The destination got other details; accountChanges names them.',
    account_added: 'The payee got a further account.',
    account_rejected: 'The rail refused the destination.',
    payee_renamed: 'The legal name is another one than the payout shows.',
    payee_acknowledged: 'The payee was acknowledged.',
    payee_reacknowledgment_required:
      'The identity changed, so that the payee has to be acknowledged again.',
    payee_suspended: 'The payee was suspended.',
    payee_reinstated: 'The suspension was lifted.',
    payee_archived: 'The payee was archived.',
    payee_invited: 'The payee was asked for details.',
    payee_invite_canceled: 'That was canceled.',
    payee_invite_expired: 'Nobody answered in time.',
    payee_details_submitted: 'The payee gave details.',
  },
);

const PayoutLaterChange = builder.objectRef<LaterChange>('PayoutLaterChange').implement({
  description: 'Something that changed of the payee, or of an account, after a payout was created.',
  fields: (t) =>
    shown(t, {
      kind: of(ChangeKindEnum, 'What changed.'),
      at: time.orNull('When; null where only the present value is known to differ.'),
      bankAccountId: id.orNull('The account that it is about; null for the payee.'),
      author: t.field({
        type: Author,
        nullable: true,
        description: 'Who did it, where that is recorded.',
        resolve: ({ actor }) => authorOf(actor),
      }),
      reason: text.orNull('Why, in words.'),
    }),
});

const SimilarPayout = builder.objectRef<Similar>('SimilarPayout').implement({
  description: 'Another payout to the same payee, and what the two have in common.',
  fields: (t) =>
    shown(t, {
      payout: of(Payout, 'The other payout.'),
      sameAmount: bool('The same amount and currency.'),
      sameReference: bool("The same reference of the business's own."),
      sameAccount: bool('The same bank account.'),
    }),
});

const SimilarPayouts = builder.objectRef<AllSimilar>('SimilarPayouts').implement({
  description: 'Payouts to the same payee that were created within 30 days of a payout.',
  fields: (t) =>
    shown(t, {
      count: int('How many, among the 100 before it and the 100 after it.'),
      sameAmount: int('How many of them have the same amount and currency.'),
      nearest: listOf(
        SimilarPayout,
        'Up to 10: those with the most in common first, then the nearest in time.',
      ),
    }),
});

const destinationOf = loadBy(
  readDestinations,
  ({ bankAccountId, bankAccountVersion }) => `${bankAccountId} ${bankAccountVersion}`,
);
const laterChangesOf = loadBy(readLaterChanges, ({ id }) => id);
const similarOf = loadBy(readSimilarPayouts, ({ id }) => id);
const failedBeforeOf = loadBy(
  readFailedBefore,
  ({ replacesPayoutId, bankAccountId, bankAccountVersion }) =>
    `${replacesPayoutId ?? ''} ${bankAccountId} ${bankAccountVersion ?? ''}`,
);
const chainOf = loadBy(readReplacementChains, (id) => id);

builder.prismaObjectFields(Payout, (t) => ({
  destination: t.field({
    type: PayoutDestination,
    description: 'The account as the payout was created with it, and since when it is so.',
    resolve: async (payout, _args, context) => promised(await destinationOf(context, payout)),
  }),
  changesSinceCreation: t.field({
    type: [PayoutLaterChange],
    description:
      'What changed of the payee and its accounts since the payout was created: the latest 20, newest first.',
    complexity: { field: 5, multiplier: 4 },
    resolve: (payout, _args, context) => laterChangesOf(context, payout),
  }),
  similarPayouts: t.field({
    type: SimilarPayouts,
    description:
      'Other payouts to the payee within 30 days before and after this one, for who looks for a double.',
    // It looks at two hundred payouts, whatever it shows.
    complexity: { field: 20, multiplier: 1 },
    resolve: (payout, _args, context) => similarOf(context, payout),
  }),
  failedBefore: t.field({
    type: Payout,
    nullable: true,
    description:
      'Of a replacement that goes to the very account, with the same details, that did not take what it replaces: that payout, whose failureCode says why. Null for every other payout.',
    resolve: (payout, _args, context) => failedBeforeOf(context, payout),
  }),
  replacementChain: t.field({
    type: [Payout],
    description:
      'The payouts that replaced each other, the first one first, this one among them: up to 50 before it and 50 after it.',
    complexity: childrenCost,
    resolve: ({ id }, _args, context) => chainOf(context, id),
  }),
}));

builder.objectFields(PayoutCreatePayload, (t) => ({
  failedBefore: t.field({
    type: Payout,
    nullable: true,
    description: 'Of a dry run: as failedBefore of a payout. Null otherwise.',
    resolve: ({ tried }, _args, context) =>
      tried === null ? null : failedBeforeOf(context, { ...tried, bankAccountVersion: null }),
  }),
  similarPayouts: t.field({
    type: SimilarPayouts,
    nullable: true,
    description:
      'Of a dry run: other payouts to the payee within the last 30 days, for who looks for a double. Null otherwise.',
    complexity: { field: 20, multiplier: 1 },
    resolve: ({ tried }, _args, context) =>
      tried === null ? null : similarOf(context, { ...tried, createdAt: new Date() }),
  }),
}));
