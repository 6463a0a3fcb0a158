import { Failed } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Page } from '../../parts/page.tsx';
import { PayoutStateMark } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { useFresh } from '../../app/fresh.ts';
import { texts } from '../../texts/en.ts';
import { dayBefore, readerZone } from '../../values/time.ts';
import { overviewDocument } from './overview.graphql.ts';

export function OverviewPage() {
  const variables = { from: dayBefore(29), to: dayBefore(0), timeZone: readerZone() };
  const { data, fault, refresh } = useFresh(overviewDocument, variables);
  return (
    <Page title={texts.overview.title}>
      <Card flush>
        {data === null ? (
          fault === null ? (
            <Loading />
          ) : (
            <Failed fault={fault} onRetry={refresh} />
          )
        ) : (
          <Table
            caption={texts.overview.title}
            rows={data.figures.payoutsByState}
            rowId={({ state }) => state}
            columns={[
              {
                name: 'state',
                title: texts.overview.title,
                cell: ({ state }) => <PayoutStateMark state={state} />,
              },
              {
                name: 'count',
                title: texts.overview.title,
                align: 'end',
                cell: ({ count }) => count,
              },
            ]}
          />
        )}
      </Card>
    </Page>
  );
}
