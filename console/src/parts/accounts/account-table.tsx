import type { ReactNode } from 'react';
import type { ProviderAccountPartsFragment } from '../../../../generated/console-types/graphql.ts';
import { texts } from '../../texts/texts.ts';
import { ConnectionMark } from '../banking/state.tsx';
import { Card } from '../card.tsx';
import { Table } from '../table.tsx';
import { adapterName } from './names.ts';

const words = texts.accounts;

interface AccountTableProps {
  readonly accounts: readonly ProviderAccountPartsFragment[];
  /** The name of an account, as a link to its page. */
  nameOf(account: ProviderAccountPartsFragment): ReactNode;
}

/** The accounts of a business at providers that are called. */
export const AccountTable = ({ accounts, nameOf }: AccountTableProps) => (
  <Card title={words.title} flush>
    <Table
      caption={words.title}
      rows={accounts}
      rowId={({ id }) => id}
      columns={[
        { name: 'name', title: words.name, cell: nameOf },
        { name: 'provider', title: words.provider, cell: ({ adapter }) => adapterName(adapter) },
        {
          name: 'state',
          title: texts.banks.connection.state,
          cell: ({ status }) => <ConnectionMark status={status} />,
        },
      ]}
    />
  </Card>
);
