import type { OverviewQuery } from '../../../../generated/console-types/graphql.ts';
import { Card } from '../../parts/card.tsx';
import { FailureCode } from '../../parts/failure-code.tsx';
import { ListLink } from '../../parts/list-link.tsx';
import { Table } from '../../parts/table.tsx';
import { grouped, texts } from '../../texts/texts.ts';
import type { DayRange } from './range.ts';

const words = texts.overview.failures;

interface FailuresProps {
  readonly failures: OverviewQuery['figures']['failuresByCode'];
  readonly range: DayRange;
}

/** What went wrong, the most frequent first. */
export function Failures({ failures, range }: FailuresProps) {
  const most = failures[0]?.count ?? 1;
  return (
    <Card title={words.title} flush>
      {failures.length === 0 ? (
        <p className="card-body muted">{words.none}</p>
      ) : (
        <Table
          caption={words.caption}
          stacks={false}
          rows={failures}
          rowId={({ failureCode }) => failureCode ?? ''}
          columns={[
            {
              name: 'code',
              title: words.code,
              cell: ({ failureCode, count }) => (
                <>
                  {failureCode === null || failureCode === undefined ? (
                    words.unknown
                  ) : (
                    <FailureCode code={failureCode} />
                  )}
                  <meter className="share" aria-hidden min={0} max={most} value={count} />
                </>
              ),
            },
            {
              name: 'count',
              title: words.number,
              align: 'end',
              cell: ({ failureCode, count }) => (
                <ListLink
                  to="/payouts"
                  filter={{
                    state: ['failed', 'returned'],
                    ...(failureCode ? { failureCode } : {}),
                    ...range.created,
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
