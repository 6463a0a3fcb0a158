import { useState } from 'react';
import { useFresh } from '../../app/fresh.ts';
import { Amount } from '../../parts/amount.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { authorName } from '../../values/author.ts';
import type { ShownPayout } from './shown.ts';
import { payoutTimelineDocument } from '../../../../generated/console-types/pages/payout/payout.ts';
import { summaryWords } from './summary.ts';

const words = texts.payout.timeline;

type TimelineEntry = ShownPayout['timeline']['edges'][number]['node'];

/** The pages that were read to their end, and where the next one begins. */
interface Head {
  readonly entries: readonly TimelineEntry[];
  readonly after: string | null;
}

/** Everything that happened to the payout, oldest first. Its end grows while it is looked at. */
export function Timeline({ payout }: { readonly payout: ShownPayout }) {
  const [head, setHead] = useState<Head | null>(null);
  const { data } = useFresh(
    payoutTimelineDocument,
    { id: payout.id, after: head?.after ?? null },
    { everyMs: 5_000, pause: head === null },
  );
  const page = head === null ? payout.timeline : data?.payout?.timeline;
  const entries = [...(head?.entries ?? []), ...(page?.edges.map(({ node }) => node) ?? [])];
  return (
    <Card flush title={words.title}>
      <Table
        caption={words.caption}
        rows={entries.map((entry, place) => ({ ...entry, place }))}
        rowId={({ kind, subject, place }) => `${kind} ${subject} ${place}`}
        columns={[
          { name: 'at', title: words.column.at, cell: ({ at }) => <Time at={at} /> },
          { name: 'kind', title: words.column.kind, cell: ({ kind }) => words.kinds[kind] },
          {
            name: 'summary',
            title: words.column.summary,
            cell: ({ kind, summary, amountMinor, currency }) => (
              <>
                {summaryWords(kind, summary)}
                {amountMinor !== null && currency !== null && (
                  <>
                    {', '}
                    <Amount minor={amountMinor} currency={currency} />
                  </>
                )}
              </>
            ),
          },
          {
            name: 'author',
            title: words.column.author,
            cell: ({ author }) => author !== null && authorName(author),
          },
        ]}
      />
      {page?.pageInfo.hasNextPage === true && (
        <div className="card-body">
          <Button onClick={() => setHead({ entries, after: page.pageInfo.endCursor })}>
            {words.more}
          </Button>
        </div>
      )}
    </Card>
  );
}
