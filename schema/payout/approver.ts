import {
  fourEyesGround,
  obstaclesOf,
  readContradicted,
  type ApprovalFacts,
  type ApprovalObstacle,
  type FourEyesGround,
} from '../../src/domain/payout/facts/approval.ts';
import { readNameObstacles } from '../../src/domain/name-check/obstacles.ts';
import { isCreator } from '../../src/domain/payout/approval-obstacle.ts';
import type { Payout as Row } from '../../generated/prisma/client.ts';
import { Author, authorOf } from '../access/author.ts';
import { listOf } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { describedEnum } from '../common/described-enum.ts';
import type { Context } from '../context.ts';
import { loadBy } from '../lists/loader.ts';
import { demandOf, demandsOf } from './demand.ts';
import { ApprovalDemand } from './approval-demand.ts';
import { accountChangesOf } from './standing.ts';
import { Payout } from './type.ts';

const ObstacleEnum = describedEnum<ApprovalObstacle>(
  'PayoutApprovalObstacle',
  'What keeps a caller from approving a payout.',
  {
    not_waiting: 'It waits for no decision.',
    role: "The caller's role does not decide on payouts.",
    four_eyes: 'The caller created it, and another person has to approve it.',
    account_changed: 'Its bank account changed since the creation. Cancel it and create a new one.',
    payee_editor: 'The caller changed the payee last, and the approval policy excludes them.',
    account_changer:
      'The caller gave the details of the bank account, and the approval policy excludes them.',
    earlier_approver:
      'The caller approved an earlier step, and the approval policy asks for somebody else.',
    already_approved: 'The caller has approved the open step already; others are missing.',
    not_in_group: 'The caller is in none of the groups that have to approve the open step.',
    nobody_can_approve: 'Nobody who is left can fulfil the open step.',
    name_check_pending:
      "The bank of the account has not answered yet whether the holder's name is right.",
    name_check_unconfirmed:
      'The bank does not have the holder by that name, and nobody has confirmed the account (nameCheckConfirm).',
    name_check_blocked:
      'The bank does not have the holder by that name, and the business pays no such account.',
    predecessor_examined: 'It is examined whether the payout that it replaces was paid after all.',
  },
);

const GroundEnum = describedEnum<FourEyesGround>(
  'FourEyesGround',
  'Why another person than the creator has to approve a payout.',
  {
    created_under:
      'The business demanded it when the payout was created; that holds also when the demand has ended.',
    business_setting: 'The business demands it at this moment (distinct_approver).',
  },
);

interface Approval {
  readonly payout: Row;
  readonly facts: ApprovalFacts;
  readonly obstacles: readonly ApprovalObstacle[];
}

const Approval = builder.objectRef<Approval>('PayoutApproval').implement({
  description:
    'Whether the caller may approve the payout at this moment, and why not. The approval itself asks again.',
  fields: (t) =>
    shown(t, {
      permitted: t.boolean({
        description: 'Whether nothing keeps the caller from approving it.',
        resolve: ({ obstacles }) => obstacles.length === 0,
      }),
      obstacles: listOf(ObstacleEnum, 'What keeps the caller from it. Each is enough.'),
      fourEyes: t.field({
        type: GroundEnum,
        nullable: true,
        description: 'Why a second person has to approve it; null where its creator may.',
        resolve: ({ payout, facts }) => fourEyesGround(payout, facts.demanded),
      }),
      demands: t.field({
        type: [ApprovalDemand],
        description:
          'What the approval policy demands of it, as it was written down, in the order of the steps. Empty where it demands nothing: one approval is enough then.',
        resolve: ({ facts }) => facts.demands,
      }),
      createdByYou: t.boolean({
        description: 'Whether the caller created it, with whatever key or session.',
        resolve: ({ payout }, _args, context) => isCreator(context.call.scope, payout),
      }),
    }),
});

const contradictedBy = loadBy(readContradicted, (id) => id);
const nameObstacleOf = loadBy(readNameObstacles, (account) => account);

async function approvalOf(context: Context, payout: Row): Promise<Approval> {
  const { replacesPayoutId: predecessor } = payout;
  const [demanded, demands, changes, nameObstacle, predecessorContradicted] = await Promise.all([
    demandOf(context),
    demandsOf(context, payout),
    accountChangesOf(context, payout),
    nameObstacleOf(context, payout.bankAccountId),
    predecessor === null ? false : contradictedBy(context, predecessor),
  ]);
  const accountChanged = changes.length > 0;
  const facts = { demanded, demands, accountChanged, nameObstacle, predecessorContradicted };
  return { payout, facts, obstacles: obstaclesOf(context.call, payout, facts) };
}

builder.prismaObjectFields(Payout, (t) => ({
  createdBy: t.field({
    type: Author,
    description: 'Who created it.',
    resolve: ({ createdBy }) => authorOf(createdBy) ?? {},
  }),
  openApproval: t.field({
    type: Approval,
    nullable: true,
    description:
      'The same while the payout waits for approvals that the approval policy demands; null otherwise.',
    resolve: async (payout, _args, context) => {
      if (payout.state !== 'pending_approval') return null;
      const demands = await demandsOf(context, payout);
      return demands.length === 0 ? null : approvalOf(context, payout);
    },
  }),
  approval: t.field({
    type: Approval,
    description: 'Whether the caller may approve it, and why not: the four-eyes rule as data.',
    resolve: (payout, _args, context) => approvalOf(context, payout),
  }),
}));
