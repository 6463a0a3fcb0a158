import { Link } from '@tanstack/react-router';
import type { BanksQuery } from '../../../../generated/console-types/graphql.ts';
import { banksDocument } from '../../../../generated/console-types/pages/banks/banks.ts';
import { useFresh } from '../../app/fresh.ts';
import { useMay, useSession } from '../../app/session.ts';
import { Amount } from '../../parts/amount.tsx';
import { ConnectionMark } from '../../parts/banking/state.tsx';
import { RouteTable } from '../../parts/banking/route-table.tsx';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { Note } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.banks;

/** The accounts at banks that take files, what waits for them, and who pays what. */
export function BanksPage() {
  const fresh = useFresh(banksDocument, {});
  const { viewer } = useSession();
  const mayConnect = useMay('banks:write') && viewer.environment === 'sandbox';
  const { data } = fresh;
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <>
          <Link className="button" to="/banks/files" search={{}}>
            {words.files.title}
          </Link>
          <Link className="button" to="/banks/desk" search={{}}>
            {words.desk.title}
          </Link>
          <Link className="button" to="/banks/month" search={{}}>
            {words.month.title}
          </Link>
          {mayConnect && (
            <Link className="button" data-kind="primary" to="/banks/new">
              {words.connect.title}
            </Link>
          )}
        </>
      }
    >
      {data === null ? (
        <Pending of={fresh} lines={8} />
      ) : (
        <div className="stack">
          {data.bankReconciliationLines.edges.length > 0 && (
            <Note tone="wait">
              {words.unmatched}{' '}
              <Link to="/banks/desk" search={{}}>
                {words.desk.title}
              </Link>
            </Note>
          )}
          <Connections data={data} />
          {data.bankQueues.length > 0 && <Queues data={data} />}
          <Card
            title={words.routes.title}
            flush
            aside={<Link to="/banks/routes">{words.routes.open}</Link>}
          >
            <RouteTable
              routes={data.payoutRoutes.routes}
              connections={[...data.bankConnections, ...data.providerConnections]}
            />
          </Card>
        </div>
      )}
    </Page>
  );
}

interface OfBanks {
  readonly data: BanksQuery;
}

function Connections({ data: { bankConnections } }: OfBanks) {
  if (bankConnections.length === 0) {
    return <Empty title={words.none}>{words.noneHint}</Empty>;
  }
  return (
    <Card title={words.connections} flush>
      <Table
        caption={words.connections}
        rows={bankConnections}
        rowId={({ id }) => id}
        columns={[
          {
            name: 'name',
            title: words.connection.name,
            cell: ({ id, name, accountCurrency: currency, accountLast4: last4 }) => (
              <div className="reading">
                <Link to="/banks/connections/$id" params={{ id }} search={{}}>
                  {name}
                </Link>
                <div className="muted small">
                  {texts.operatorBanks.connections.account({ currency, last4 })}
                </div>
              </div>
            ),
          },
          {
            name: 'state',
            title: words.connection.state,
            cell: ({ status }) => <ConnectionMark status={status} />,
          },
          {
            name: 'way',
            title: words.connection.way,
            cell: ({ transport }) => texts.operatorBanks.connections.ways[transport],
          },
          {
            name: 'cutOff',
            title: words.connection.cutOff,
            cell: ({ cutOffTime: time, timeZone: zone }) =>
              words.connection.cutOffAt({ time, zone }),
          },
        ]}
      />
    </Card>
  );
}

/** What waits for the next file of each connection. */
function Queues({ data: { bankQueues, bankConnections } }: OfBanks) {
  const names = new Map(bankConnections.map(({ id, name }) => [id, name]));
  return (
    <Card title={words.queues.title} flush>
      <Table
        caption={words.queues.title}
        rows={bankQueues}
        rowId={({ connectionId, scheme, currency }) => `${connectionId} ${scheme} ${currency}`}
        columns={[
          {
            name: 'connection',
            title: words.connection.name,
            cell: ({ connectionId, scheme, problem }) => (
              <div className="reading">
                {names.get(connectionId) ?? connectionId}
                <div className="muted small">{words.schemes[scheme]}</div>
                {problem && <p className="small">{problem}</p>}
              </div>
            ),
          },
          {
            name: 'count',
            title: words.queues.payouts,
            align: 'end',
            cell: ({ payoutCount }) => payoutCount,
          },
          {
            name: 'amount',
            title: words.month.amount,
            align: 'end',
            cell: ({ amountMinor, currency }) => (
              <Amount minor={amountMinor} currency={currency} aligned />
            ),
          },
          {
            name: 'closes',
            title: words.queues.closes,
            cell: ({ closesAt }) => <Time at={closesAt} />,
          },
        ]}
      />
    </Card>
  );
}
