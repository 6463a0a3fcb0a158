import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useQuery } from 'urql';
import { Empty, Failed } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { announce } from '../../parts/live.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../texts/en.ts';
import { faultOf } from '../../values/fault.ts';
import { payeeColumns } from './columns.tsx';
import { payeeSearchDocument } from './payees.graphql.ts';

const words = texts.payees;

/** The payees that a text finds, by their names. */
export function FoundPayees({ text }: { readonly text: string }) {
  const [{ data, error }, execute] = useQuery({
    query: payeeSearchDocument,
    variables: { text },
    requestPolicy: 'cache-and-network',
  });
  const found = data?.beneficiarySearch ?? null;
  const count = found?.beneficiaries.length ?? null;
  useEffect(() => {
    if (count !== null) announce(words.foundCount(count));
  }, [count, text]);
  if (error !== undefined && found === null) {
    const retry = () => execute({ requestPolicy: 'network-only' });
    return <Failed fault={faultOf(error)} onRetry={retry} />;
  }
  if (found === null) return <Loading lines={6} />;
  return (
    <Card flush title={words.found(text)} aside={<Link to="/payees">{words.allPayees}</Link>}>
      {found.beneficiaries.length === 0 ? (
        <Empty title={words.foundNone(text)}>{words.foundNoneHint}</Empty>
      ) : (
        <Table
          caption={words.found(text)}
          rows={found.beneficiaries}
          rowId={({ id }) => id}
          columns={payeeColumns}
        />
      )}
      {found.more && <p className="muted">{words.foundMore}</p>}
    </Card>
  );
}
