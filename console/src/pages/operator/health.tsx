import { useFresh } from '../../app/fresh.ts';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { StateMark } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import type { OperatorHealthQuery } from '../../../../generated/console-types/graphql.ts';
import { operatorHealthDocument } from '../../../../generated/console-types/pages/operator/health.ts';

const words = texts.operator.health;

/** How providers answer, which workers live, and whose endpoint fails. */
export function HealthPage() {
  const fresh = useFresh(operatorHealthDocument, {});
  const { data } = fresh;
  return (
    <Page title={words.title} lead={words.lead}>
      {data === null ? (
        <Pending of={fresh} lines={8} />
      ) : (
        <div className="stack">
          <Providers rows={data.operatorProviders} />
          <Workers rows={data.operatorWorkers} />
          <Endpoints rows={data.operatorEndpoints.edges.map(({ node }) => node)} />
        </div>
      )}
    </Page>
  );
}

type Rows<Row> = { readonly rows: readonly Row[] };

function Providers({ rows }: Rows<OperatorHealthQuery['operatorProviders'][number]>) {
  return (
    <Card title={words.providers} flush>
      {rows.length === 0 ? (
        <Empty title={words.noProvider} />
      ) : (
        <Table
          caption={words.providers}
          rows={rows}
          rowId={({ provider, environment }) => [provider, environment].join(' ')}
          columns={[
            {
              name: 'provider',
              title: words.provider,
              cell: ({ provider, environment }) => (
                <>
                  <strong>{provider}</strong>
                  <div className="muted small">
                    {environment ? texts.environment[environment] : words.notAsked}
                  </div>
                </>
              ),
            },
            {
              name: 'hour',
              title: words.hour,
              cell: ({ submitted, rejected, unclear }) =>
                words.counts({ taken: submitted, refused: rejected, unclear }),
            },
            {
              name: 'unknown',
              title: words.unknown,
              align: 'end',
              cell: ({ unknownNow, needsOperator }) =>
                words.open({ unknown: unknownNow, marked: needsOperator }),
            },
            {
              name: 'p95',
              title: words.p95,
              align: 'end',
              cell: ({ p95Ms }) => (p95Ms == null ? '–' : texts.webhooks.ms({ value: p95Ms })),
            },
            {
              name: 'events',
              title: words.events,
              cell: ({ eventsWaiting, lastEventAt }) => (
                <>
                  {words.waiting({ events: eventsWaiting })}
                  {lastEventAt && (
                    <div className="muted small">
                      {words.latest} <Time at={lastEventAt} />
                    </div>
                  )}
                </>
              ),
            },
            {
              name: 'circuit',
              title: words.circuit,
              cell: ({ circuits }) => {
                const open = circuits.filter(({ state }) => state !== 'closed').length;
                if (circuits.length === 0) return '–';
                return (
                  <StateMark tone={open === 0 ? 'good' : 'bad'}>
                    {open === 0 ? words.calls : words.callsSeldom({ count: open })}
                  </StateMark>
                );
              },
            },
          ]}
        />
      )}
    </Card>
  );
}

function Workers({ rows }: Rows<OperatorHealthQuery['operatorWorkers'][number]>) {
  return (
    <Card title={words.workers} flush>
      {rows.length === 0 ? (
        <Empty title={words.noWorker}>{words.noWorkerHint}</Empty>
      ) : (
        <Table
          caption={words.workers}
          rows={rows}
          rowId={({ id }) => id}
          columns={[
            { name: 'id', title: words.worker, cell: ({ id }) => <code>{id}</code> },
            { name: 'host', title: words.host, cell: ({ hostname }) => hostname ?? '–' },
            {
              name: 'state',
              title: words.state,
              cell: ({ alive }) => (
                <StateMark tone={alive ? 'good' : 'bad'}>
                  {alive ? words.alive : words.silent}
                </StateMark>
              ),
            },
            { name: 'jobs', title: words.jobs, align: 'end', cell: ({ jobsHeld }) => jobsHeld },
            {
              name: 'since',
              title: words.since,
              cell: ({ startedAt }) => (startedAt ? <Time at={startedAt} /> : '–'),
            },
          ]}
        />
      )}
    </Card>
  );
}

type Endpoint = OperatorHealthQuery['operatorEndpoints']['edges'][number]['node'];

function Endpoints({ rows }: Rows<Endpoint>) {
  return (
    <Card title={words.endpoints} flush>
      {rows.length === 0 ? (
        <Empty title={words.noEndpoint} />
      ) : (
        <Table
          caption={words.endpoints}
          rows={rows}
          rowId={({ subscriptionId }) => subscriptionId}
          columns={[
            {
              name: 'of',
              title: words.business,
              cell: ({ companyName, environment }) =>
                `${companyName} · ${texts.environment[environment]}`,
            },
            { name: 'what', title: words.what, cell: ({ what }) => what },
          ]}
        />
      )}
    </Card>
  );
}
