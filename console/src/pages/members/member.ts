import type { MembersQuery } from '../../../../generated/console-types/graphql.ts';

export type Member = MembersQuery['members']['edges'][number]['node'];

/** What a member is called: by name, or by the address of who has given none. */
export const nameOf = ({ firstName, lastName, email }: Member): string =>
  [firstName, lastName].filter(Boolean).join(' ') || email;
