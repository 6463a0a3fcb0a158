import type {
  PolicyEditedQuery,
  PolicyQuery,
} from '../../../../generated/console-types/graphql.ts';
import { textFor, texts } from '../../texts/texts.ts';

export type Policy = PolicyQuery['approvalPolicy'];
/** What the editor reads of the policy. */
export type EditedPolicy = PolicyEditedQuery['approvalPolicy'];
export type Rule = NonNullable<NonNullable<Policy['active']>['rules']>[number];
export type Step = NonNullable<Rule['steps']>[number];
export type Conditions = Rule['when'];
export type ConditionName = Exclude<keyof Conditions, '__typename'>;
export type Band = NonNullable<Conditions['amount']>[number];
export type Group = Policy['groups'][number];
/** A group by its name alone. */
export type NamedGroup = EditedPolicy['groups'][number];
/** A proposed version of the rules. */
export type RulesChange = NonNullable<Policy['proposal']>;
/** A proposed role of a member. */
export type RoleChange = Policy['roleProposals'][number];
export type Delegation = Policy['delegations'][number];
/** Proposed members of a group. */
export type GroupChange = Policy['groupProposals'][number];

/** What the groups of a policy are called: a role by its name, a group by its own. */
export type GroupNames = (id: string) => string;

export function groupNamesOf(groups: readonly NamedGroup[]): GroupNames {
  const names = new Map(groups.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? textFor(texts.roles, id) ?? id;
}
