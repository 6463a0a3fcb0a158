import { createContext, use } from 'react';
import type { Permission } from '../../../generated/console-types/codes.ts';
import type { ViewerQuery } from '../../../generated/console-types/graphql.ts';

/** Whom the session is of, in which business and environment, and what they may do there. */
export type Viewer = NonNullable<ViewerQuery['viewer']>;

export interface Session {
  readonly viewer: Viewer;
  /** Forgets all that was read and reads who the viewer is: after a switch, after signing out. */
  renew(): void;
}

export const SessionContext = createContext<Session | null>(null);

/** The session of whoever looks at a page; every page inside the shell has one. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (session === null) throw new Error('This page stands outside the shell.');
  return session;
}

/** Whether the viewer's role permits something: what it does not permit is not offered. */
export function useMay(permission: Permission): boolean {
  return useSession().viewer.permissions.includes(permission);
}

/** The business for which the viewer acts; undefined for an operator. */
export const businessOf = ({ businessId, memberships }: Viewer) =>
  memberships.find((membership) => membership.businessId === businessId);
