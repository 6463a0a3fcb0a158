import { Link } from '@tanstack/react-router';
import type { PayeesQuery } from '../../../../generated/console-types/graphql.ts';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { PayeeState } from './payee-state.tsx';

const words = texts.payees;

export type ListedPayee = PayeesQuery['beneficiaries']['edges'][number]['node'];

/** What a table of payees shows of each. */
export const payeeColumns: readonly Column<ListedPayee>[] = [
  {
    name: 'name',
    place: 'lead',
    title: words.name,
    cell: ({ id, displayName, email: address }) => (
      <>
        <Link to="/payees/$id" params={{ id }}>
          {displayName}
        </Link>
        <div className="muted small">{address}</div>
      </>
    ),
  },
  {
    name: 'type',
    place: 'rest',
    title: words.type,
    cell: (row) => words.types[row.beneficiaryType],
  },
  {
    name: 'state',
    place: 'figure',
    title: words.state,
    cell: ({ status }) => <PayeeState status={status} />,
  },
  {
    name: 'details',
    place: 'state',
    title: words.details,
    cell: ({ collectionStatus, pendingRequests: [open] }) => (
      <>
        {words.collections[collectionStatus]}
        {open && (
          <div className="muted small">
            {words.until} <Time at={open.expiresAt} />
          </div>
        )}
      </>
    ),
  },
  {
    name: 'changed',
    place: 'time',
    title: words.changed,
    cell: ({ updatedAt }) => <Time at={updatedAt} />,
  },
];
