import { requirePermission } from '../../src/access/scope.ts';
import { askNameCheck } from '../../src/domain/name-check/ask.ts';
import { changeNameCheckSettings } from '../../src/domain/name-check/change-settings.ts';
import { confirmName, takeNameOnFile } from '../../src/domain/name-check/decide.ts';
import { findNameCheckPolicy } from '../../src/domain/name-check/policy-store.ts';
import { BankAccount } from '../bank-account/type.ts';
import { builder } from '../builder.ts';
import { EffectEnum, NameCheckSettings } from './type.ts';

builder.queryFields((t) => ({
  nameCheckSettings: t.field({
    type: NameCheckSettings,
    description: "What the business decided about the check of holders' names.",
    resolve: (_root, _args, { call }) => {
      requirePermission(call.scope, 'read');
      return findNameCheckPolicy(call.services.pool, call.scope);
    },
  }),
}));

builder.mutationFields((t) => ({
  bankAccountNameCheck: t.field({
    nullable: true,
    type: BankAccount,
    description:
      "Has the bank of an account asked for its holder's name, once more or for the first time. A confirmation of the result before ends.",
    args: {
      beneficiaryId: t.arg.id({ required: true, description: 'The owner.' }),
      id: t.arg.id({ required: true, description: 'The account.' }),
    },
    resolve: (_root, { beneficiaryId, id }, { call }) => askNameCheck(call, beneficiaryId, id),
  }),
  nameCheckConfirm: t.field({
    nullable: true,
    type: BankAccount,
    description:
      "Confirms that an account is the payee's although its bank does not have its holder by that name. It holds for this answer and these details. For owners, admins and approvers, with distinct_approver not for whoever gave the details.",
    args: {
      id: t.arg.id({ required: true, description: 'Id of the answer.' }),
      reason: t.arg.string({ required: true, description: 'Why, up to 1,000 characters.' }),
    },
    resolve: (_root, { id, reason }, { call }) => confirmName(call, id, { reason }),
  }),
  nameCheckTake: t.field({
    nullable: true,
    type: BankAccount,
    description:
      'Takes over the name that the bank has: the account gets a new version with it. Payouts that wait ask for a new one then.',
    args: { id: t.arg.id({ required: true, description: 'Id of the answer.' }) },
    resolve: (_root, { id }, { call }) => takeNameOnFile(call, id),
  }),
  nameCheckSettingsChange: t.field({
    nullable: true,
    type: NameCheckSettings,
    description:
      "Changes whether banks are asked for holders' names, and what each answer does. For owners and admins.",
    args: {
      revision: t.arg.int({ required: true, description: 'The revision that you have seen.' }),
      asks: t.arg.boolean({ required: true, description: 'Whether banks are asked.' }),
      closeMatch: t.arg({
        type: EffectEnum,
        required: true,
        description: 'What a name that is nearly the same does.',
      }),
      noMatch: t.arg({
        type: EffectEnum,
        required: true,
        description: 'What another name does.',
      }),
      notPossible: t.arg({
        type: EffectEnum,
        required: true,
        description: 'What it does that the bank could not be asked.',
      }),
    },
    resolve: (_root, given, { call }) => changeNameCheckSettings(call, given),
  }),
}));
