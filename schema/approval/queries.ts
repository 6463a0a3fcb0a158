import { readPolicy } from '../../src/domain/approval-policy/draft.ts';
import { listPolicies } from '../../src/domain/approval-policy/store.ts';
import { builder } from '../builder.ts';
import { ApprovalPolicy, PolicyVersion } from './type.ts';

const mostVersions = 5;

builder.queryFields((t) => ({
  approvalPolicy: t.field({
    type: ApprovalPolicy,
    description: "Who may let money go, in the caller's environment, and what waits to.",
    complexity: 20,
    resolve: (_root, _args, { call }) => readPolicy(call),
  }),
  approvalPolicyVersions: t.field({
    type: [PolicyVersion],
    description: `The latest ${mostVersions} versions of the approval policy, the latest first.`,
    args: { before: t.arg.int({ description: 'Only versions before this one.' }) },
    complexity: { field: 20, multiplier: mostVersions },
    resolve: (_root, { before }, { services, call }) =>
      listPolicies(services.pool, call.scope, { before: before ?? null, take: mostVersions }),
  }),
}));
