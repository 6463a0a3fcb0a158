import type { PayoutState, PayoutAction } from '../../src/domain/payout/machine.ts';
import { permittedActions } from '../../src/domain/payout/permitted.ts';
import type { Payout as Row } from '../../generated/prisma/client.ts';
import { readAccountChanges, type AccountFact } from '../../src/domain/payout/account-changes.ts';
import { readShortfalls } from '../../src/domain/ledger/short-payouts.ts';
import { readWaits, type Wait, type WaitReason } from '../../src/domain/payout/waits-for.ts';
import { isStuck, obstacleOf } from '../../src/domain/approval-policy/standing.ts';
import { bool } from '../../src/values/columns.ts';
import { shownFields } from '../../src/domain/payout/fields.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { describedEnum } from '../common/described-enum.ts';
import type { Context } from '../context.ts';
import { loadBy } from '../lists/loader.ts';
import { demandsOf, needsAnotherApprover } from './demand.ts';
import { Payout } from './type.ts';

const PayoutActionEnum = describedEnum<PayoutAction>(
  'PayoutAction',
  'What a caller may ask of a payout.',
  {
    approve: 'payoutApprove, or payoutDecide with approved.',
    reject: 'payoutReject, or payoutDecide with rejected.',
    cancel: 'payoutCancel.',
  },
);

const WaitReasonEnum = describedEnum<WaitReason>(
  'PayoutWaitReason',
  'What a payout can wait for.',
  {
    decision: 'In pending_approval: an approval or a rejection.',
    new_payout:
      'In pending_approval: its bank account changed since the creation, so it cannot be approved. Cancel it and create a new one.',
    nobody_can_approve:
      'In pending_approval: the approval policy asks for people of whom too few are left. An owner changes the groups, or cancel it.',
    release: 'In compliance_hold: the release of the hold.',
    bank_file:
      'In approved: the next file to its bank. bankQueues says when it is made; until then the payout can be canceled.',
    bank_answer:
      'In approved: a status report or a statement of the bank. The payout is in a file, so it cannot be canceled any more.',
    provider_configuration:
      'In approved: no provider is configured for the environment, or no route leads to one (payoutRoutes).',
  },
);

const AccountFactEnum = describedEnum<AccountFact>(
  'PayoutAccountChange',
  'What of a bank account can change after a payout to it was created.',
  {
    account_holder_name: 'The name on the account.',
    country: 'The country of the bank.',
    currency: 'The currency of the account.',
    bank_name: 'The name of the bank.',
    account_type: 'checking or savings.',
    identifiers: 'The account number, the IBAN or another identifier.',
  },
);

const changesOf = loadBy(
  readAccountChanges,
  ({ bankAccountId, bankAccountVersion }) => `${bankAccountId} ${bankAccountVersion}`,
);

const shortfallOf = loadBy(readShortfalls, ({ id }) => id);

const loadWaits = loadBy(readWaits, ({ payout }) => payout.id);

async function waitOf(context: Context, payout: Row): Promise<Wait | null> {
  const accountChanged = (await accountChangesOf(context, payout)).length > 0;
  const isPending = payout.state === 'pending_approval';
  const nobody = isPending && isStuck(await demandsOf(context, payout));
  return loadWaits(context, { payout, accountChanged, nobody });
}

/** What changed of the account; nothing for a payout that waits for no decision. */
export const accountChangesOf = (context: Context, payout: Row): Promise<readonly AccountFact[]> =>
  payout.state === 'pending_approval' ? changesOf(context, payout) : Promise.resolve([]);

/** Whether the caller can approve the payout as far as can be known before they try. */
async function canApprove(context: Context, payout: Row): Promise<boolean> {
  if (await needsAnotherApprover(context, payout)) return false;
  if (payout.state === 'pending_approval' && obstacleOf(await demandsOf(context, payout)) !== null)
    return false;
  return (await accountChangesOf(context, payout)).length === 0;
}

builder.prismaObjectFields(Payout, (t) =>
  shown(t, {
    permittedActions: t.field({
      type: [PayoutActionEnum],
      description:
        "Actions that the payout's state permits, whatever the caller's role. approve is left out for its creator when another person has to approve it, for whoever the approval policy does not count at this moment (approval says why), and for everybody when accountChanges is not empty.",
      resolve: async (payout, _args, context) => {
        const actions = permittedActions(
          payout.state as PayoutState,
          payout.liveAttemptId !== null,
        );
        return actions.includes('approve') && !(await canApprove(context, payout))
          ? actions.filter((action) => action !== 'approve')
          : actions;
      },
    }),
    accountChanges: t.field({
      type: [AccountFactEnum],
      description:
        'What changed of the bank account since the payout was created, while it waits for a decision. If anything did, it cannot be approved (BANK_ACCOUNT_CHANGED): its preparer gave other details. Cancel it and create a new one.',
      resolve: (payout, _args, context) => accountChangesOf(context, payout),
    }),
    distinctApprover: bool(
      'Whether another person than the creator must approve it. It was created while the business demanded that.',
    ),
    waitsFor: t.field({
      type: WaitReasonEnum,
      nullable: true,
      description:
        'What the payout waits for; null while it moves on by itself or when it has ended.',
      resolve: async (payout, _args, context) => (await waitOf(context, payout))?.reason ?? null,
    }),
    shortfallMinor: t.field({
      type: 'MinorUnits',
      nullable: true,
      description: shownFields.shortfallMinor.description,
      resolve: (payout, _args, context) => shortfallOf(context, payout),
    }),
    waitsSince: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'Since when it waits for that: since it is in its state, or, at a bank, since it is in the queue or its file is there (or made, while nobody knows that it is there).',
      resolve: async (payout, _args, context) => (await waitOf(context, payout))?.since ?? null,
    }),
  }),
);
