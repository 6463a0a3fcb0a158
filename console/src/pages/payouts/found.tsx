import { Link } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { useFresh } from '../../app/fresh.ts';
import type { PayoutSearchKind } from '../../../../generated/console-types/graphql.ts';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { announce } from '../../parts/live.tsx';
import { Pending } from '../../parts/pending.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { texts } from '../../texts/texts.ts';
import type { ListedPayout } from './cells.ts';
import type { ListAddress } from './filters.ts';
import { payoutSearchDocument } from '../../../../generated/console-types/pages/payouts/payouts.ts';

const words = texts.payouts.find;

interface FoundProps {
  readonly text: string;
  readonly columns: readonly Column<ListedPayout>[];
  readonly aside: ReactNode;
}

/** The filter that lists every payout of a kind of hit; null where no one filter does. */
function wholeList(kind: PayoutSearchKind, text: string): ListAddress | null {
  switch (kind) {
    case 'external_ref':
      return { externalRef: text };
    case 'idempotency_key':
      return { idempotencyKey: text };
    case 'beneficiary_id':
      return { beneficiaryId: text };
    case 'payee_name':
      return { payeeName: text };
    default:
      return null;
  }
}

/** What was found, by what of the payouts the text is. */
export function Found({ text, columns, aside }: FoundProps) {
  const fresh = useFresh(payoutSearchDocument, { text }, { everyMs: null });
  const hits = fresh.data?.payoutSearch ?? null;
  const count = hits?.reduce((sum, { payouts }) => sum + payouts.length, 0) ?? null;
  useEffect(() => {
    if (count !== null) announce(words.announce({ count }));
  }, [count, text]);
  if (hits === null) return <Pending of={fresh} lines={6} />;
  if (hits.length === 0) {
    return (
      <Card flush>
        <Empty title={words.nothing({ text })}>
          <p>{words.nothingText}</p>
        </Empty>
      </Card>
    );
  }
  return (
    <div className="stack">
      <div className="row spread">
        <h2>{words.found({ text })}</h2>
        {aside}
      </div>
      {hits.map(({ kind, payouts, more }) => {
        const whole = more ? wholeList(kind, text) : null;
        return (
          <Card
            key={kind}
            flush
            title={words.kinds[kind]}
            aside={
              whole !== null && (
                <Link to="/payouts" search={whole}>
                  {words.more}
                </Link>
              )
            }
          >
            <Table
              caption={words.kinds[kind]}
              rows={payouts}
              rowId={({ id }) => id}
              columns={columns}
            />
          </Card>
        );
      })}
    </div>
  );
}
