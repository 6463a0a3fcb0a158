import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useFresh } from '../../app/fresh.ts';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { announce } from '../../parts/live.tsx';
import { Pending } from '../../parts/pending.tsx';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../texts/texts.ts';
import { payeeColumns } from './columns.tsx';
import { payeeSearchDocument } from '../../../../generated/console-types/pages/payees/payees.ts';

const words = texts.payees;

/** The payees that a text finds, by their names. */
export function FoundPayees({ text }: { readonly text: string }) {
  const fresh = useFresh(payeeSearchDocument, { text }, { everyMs: null });
  const found = fresh.data?.beneficiarySearch ?? null;
  const count = found?.beneficiaries.length ?? null;
  useEffect(() => {
    if (count !== null) announce(words.foundCount({ count }));
  }, [count, text]);
  if (found === null) return <Pending of={fresh} lines={6} />;
  return (
    <Card flush title={words.found({ text })} aside={<Link to="/payees">{words.allPayees}</Link>}>
      {found.beneficiaries.length === 0 ? (
        <Empty title={words.foundNone({ text })}>{words.foundNoneHint}</Empty>
      ) : (
        <Table
          caption={words.found({ text })}
          rows={found.beneficiaries}
          rowId={({ id }) => id}
          columns={payeeColumns}
        />
      )}
      {found.more && <p className="muted">{words.foundMore}</p>}
    </Card>
  );
}
