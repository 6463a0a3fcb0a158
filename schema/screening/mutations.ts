import { changeScreeningSettings } from '../../src/domain/screening/change-settings.ts';
import { decideOnHit, type ScreeningVerdict } from '../../src/domain/screening/decide.ts';
import { builder } from '../builder.ts';
import { describedEnum } from '../common/described-enum.ts';
import { ScreeningSettings } from './queries.ts';
import { ScreeningHit, WatchlistEnum } from './type.ts';

const VerdictEnum = describedEnum<ScreeningVerdict>(
  'ScreeningVerdict',
  'What a person finds of a hit.',
  {
    cleared:
      'It is somebody else. Where it was the last one, held payouts wait for a decision again.',
    confirmed: 'It is the one on the list. The payee is suspended.',
  },
);

builder.mutationFields((t) => ({
  screeningHitDecide: t.field({
    nullable: true,
    type: ScreeningHit,
    description:
      'Clears or confirms a hit. For owners, admins and approvers, and with distinct_approver not for whoever registered the payee, changed it last or prepared a payout to it that waits. A confirmed hit is cleared by an owner alone. The same decision of the same person again changes nothing.',
    args: {
      id: t.arg.id({ required: true, description: 'Id of the hit.' }),
      verdict: t.arg({ type: VerdictEnum, required: true, description: 'What it is.' }),
      reason: t.arg.string({ required: true, description: 'Why, up to 1,000 characters.' }),
      evidence: t.arg.string({ description: 'What shows it: a document, a place where it lies.' }),
    },
    resolve: (_root, { id, verdict, reason, evidence }, { call }) =>
      decideOnHit(call, id, { verdict, reason, evidence: evidence ?? null }),
  }),
  screeningSettingsChange: t.field({
    nullable: true,
    type: ScreeningSettings,
    description:
      'Changes how payees are screened. With other lists, or another answer to incomplete results, all payees are screened anew. For owners and admins.',
    args: {
      revision: t.arg.int({ required: true, description: 'The revision that you have seen.' }),
      maxAgeDays: t.arg.int({ required: true, description: '1 to 365.' }),
      incompleteBlocks: t.arg.boolean({
        required: true,
        description: 'Whether an incomplete result holds payouts.',
      }),
      lists: t.arg({
        type: [WatchlistEnum],
        description: 'The lists that are demanded; null for each that was ever loaded.',
      }),
    },
    resolve: (_root, { revision, maxAgeDays, incompleteBlocks, lists }, { call }) =>
      changeScreeningSettings(call, {
        revision,
        maxAgeDays,
        incompleteBlocks,
        lists: lists ?? null,
      }),
  }),
}));
