import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** What a list's address says: the fields of the filter that its query has in GraphQL, by their names there. */
export type ListFilter = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

interface ListLinkProps {
  readonly to: '/payouts' | '/approvals' | '/webhooks';
  readonly filter?: ListFilter;
  readonly label?: string;
  readonly children: ReactNode;
}

/**
 * The way from a figure to the list behind it. Pages know each other by their addresses alone, so a
 * figure needs no type of the page that has its list.
 */
export function ListLink({ to, filter = {}, label, children }: ListLinkProps) {
  const place = { to, search: filter } as unknown as { readonly to: '/' };
  return (
    <Link {...place} aria-label={label}>
      {children}
    </Link>
  );
}
