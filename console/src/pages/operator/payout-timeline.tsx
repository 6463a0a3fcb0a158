import { Card } from '../../parts/card.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import type { SeenPayout } from './payout-seen.ts';

const words = texts.operatorPayout.timeline;

/** The service gives so many lines at most. */
const mostLines = 200;

/** Everything that happened to the payout, with the words of ops.timeline. */
export function OperatorTimeline({ payout: { timeline } }: { readonly payout: SeenPayout }) {
  return (
    <Card flush title={words.title}>
      <Table
        caption={words.caption}
        rows={timeline.map((line, place) => ({ ...line, place }))}
        rowId={({ what, id, place }) => `${what} ${id} ${place}`}
        columns={[
          { name: 'at', title: words.at, cell: ({ at }) => <Time at={at} /> },
          { name: 'what', title: words.what, cell: ({ what }) => what },
          {
            name: 'detail',
            title: words.detail,
            cell: ({ detail, id }) => (
              <div className="reading">
                {detail}
                <div className="muted small">
                  <code>{id}</code>
                </div>
              </div>
            ),
          },
          { name: 'by', title: words.by, cell: ({ byWhom }) => byWhom ?? '–' },
        ]}
      />
      {timeline.length === mostLines && (
        <p className="card-body muted small">{words.full({ most: String(mostLines) })}</p>
      )}
    </Card>
  );
}
