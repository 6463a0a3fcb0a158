import type { OverviewQuery } from '../../../../generated/console-types/graphql.ts';
import { Card } from '../../parts/card.tsx';
import { ListLink } from '../../parts/list-link.tsx';
import { Table } from '../../parts/table.tsx';
import { Since } from '../../parts/time.tsx';
import { grouped, texts } from '../../texts/texts.ts';
import { duration } from '../../values/time.ts';

const words = texts.overview.waiting;

/** Counts each wait with all that are longer, as the list behind it does. */
function atLeast(queue: OverviewQuery['figures']['approvalQueue']) {
  return queue.map(({ fromMinutes }, index) => ({
    fromMinutes,
    count: queue.slice(index).reduce((sum, { count }) => sum + count, 0),
  }));
}

interface WaitingProps {
  readonly queue: OverviewQuery['figures']['approvalQueue'];
  /** When the longest wait began. */
  readonly since: string | null;
}

/** What waits for a decision, and for how long. */
export function Waiting({ queue, since }: WaitingProps) {
  const rows = atLeast(queue);
  const all = rows[0]?.count ?? 0;
  return (
    <Card title={words.title} flush>
      <div className="card-body figure-head">
        {all === 0 ? (
          <p className="muted">{words.none}</p>
        ) : (
          <>
            <p className="figure">
              <ListLink to="/approvals">{words.payouts({ count: all })}</ListLink>
            </p>
            {since !== null && (
              <p className="muted">
                {words.longest} <Since at={since} />
              </p>
            )}
          </>
        )}
      </div>
      {all > 0 && (
        <Table
          caption={words.caption}
          stacks={false}
          rows={rows.filter(({ count }) => count > 0)}
          rowId={({ fromMinutes }) => String(fromMinutes)}
          columns={[
            {
              name: 'age',
              title: words.age,
              cell: ({ fromMinutes }) => {
                const { count, unit } = duration(fromMinutes);
                return fromMinutes === 0 ? words.any : words.atLeast[unit]({ count });
              },
            },
            {
              name: 'count',
              title: words.number,
              align: 'end',
              cell: ({ fromMinutes, count }) => (
                <ListLink
                  to="/payouts"
                  filter={{
                    state: ['pending_approval'],
                    ...(fromMinutes === 0 ? {} : { waitingMinutes: fromMinutes }),
                  }}
                >
                  {grouped(count)}
                </ListLink>
              ),
            },
          ]}
        />
      )}
    </Card>
  );
}
