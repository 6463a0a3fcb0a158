import type { Fault } from '../values/fault.ts';
import { Failed } from './blank.tsx';
import { Loading } from './loading.tsx';

interface PendingProps {
  /** A query without data, as `useFresh` gives it. */
  readonly of: { readonly fault: Fault | null; refresh(): void };
  /** How many lines stand in its place. */
  readonly lines?: number;
}

/** Stands in the place of what a query will bring: it is on its way, or it failed, with a way to try again. */
export function Pending({ of: { fault, refresh }, lines = 5 }: PendingProps) {
  return fault === null ? <Loading lines={lines} /> : <Failed fault={fault} onRetry={refresh} />;
}
