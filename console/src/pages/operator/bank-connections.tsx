import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { forwards } from '../../app/place.ts';
import { useAct } from '../../app/use-act.ts';
import { Empty } from '../../parts/blank.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { StateMark } from '../../parts/state.tsx';
import type { Column } from '../../parts/table.tsx';
import { Since, Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import type { OperatorBankConnectionsQuery } from '../../../../generated/console-types/graphql.ts';
import {
  operatorBankConnectionsDocument,
  bankBatchesCloseDocument,
} from '../../../../generated/console-types/pages/operator/banks.ts';
import { Reasoned } from './reasoned.tsx';

const words = texts.operatorBanks.connections;

type Connection = OperatorBankConnectionsQuery['operatorBankConnections']['edges'][number]['node'];

/** The connections that are not closed: whether their files travel, and when the next one is made. */
export function BankConnections() {
  const { connections, ...place } = useSearch({ from: '/shell/operator/banks' });
  const navigate = useNavigate({ from: '/operator/banks' });
  const here = connections === undefined ? {} : { after: connections };
  const fresh = useFresh(operatorBankConnectionsDocument, forwards(here));
  const command = useAct(bankBatchesCloseDocument);
  const [asked, setAsked] = useState<Connection | null>(null);
  return (
    <Card title={words.title} flush>
      <Listing
        caption={words.title}
        fresh={fresh}
        page={fresh.data?.operatorBankConnections ?? null}
        place={here}
        onPlace={({ after }) =>
          void navigate({
            search: { ...place, ...(after === undefined ? {} : { connections: after }) },
          })
        }
        versionOf={({ status, fetchProblem, fileProblem }) =>
          `${status} ${fetchProblem ?? ''} ${fileProblem ?? ''}`
        }
        empty={
          <Empty title={words.none}>
            <p>{words.noneHint}</p>
          </Empty>
        }
        columns={columnsOf(setAsked)}
      />
      <Reasoned
        title={words.closeOf({ name: asked?.name ?? '' })}
        action={words.close}
        open={asked !== null}
        command={command}
        variables={(reason) => ({
          businessId: asked?.businessId ?? '',
          environment: asked?.environment ?? 'sandbox',
          connectionId: asked?.id ?? '',
          reason,
        })}
        said={() => words.closed}
        onClose={() => setAsked(null)}
        onDone={fresh.refresh}
      >
        <p>{words.closeMeans({ count: asked?.waiting ?? 0 })}</p>
      </Reasoned>
    </Card>
  );
}

function columnsOf(onAsk: (connection: Connection) => void): readonly Column<Connection>[] {
  return [
    {
      name: 'connection',
      title: words.connection,
      cell: (row) => (
        <div className="reading">
          <strong>{row.name}</strong>
          <div className="small">
            {words.account({ currency: row.accountCurrency, last4: row.accountLast4 })}
          </div>
          <div className="muted small">
            {texts.operator.at({
              business: row.companyName,
              environment: texts.environment[row.environment],
            })}
          </div>
          <div className="muted small">
            <code>{row.id}</code>
          </div>
        </div>
      ),
    },
    { name: 'state', title: words.state, cell: (row) => <ConnectionState {...row} /> },
    { name: 'way', title: words.way, cell: (row) => <Way {...row} /> },
    {
      name: 'cutOff',
      title: words.cutOff,
      cell: ({ closesAt, waiting, oldestWaiting }) => (
        <>
          <Time at={closesAt} />
          <div className="muted small">
            {oldestWaiting ? (
              <>
                {words.waits({ count: waiting })} <Since at={oldestWaiting} />
              </>
            ) : (
              words.nothingWaits
            )}
          </div>
        </>
      ),
    },
    {
      name: 'actions',
      title: texts.operatorBanks.actions,
      cell: (row) => (
        <div className="row">
          {row.status === 'active' && row.waiting > 0 && (
            <Button aria-label={words.closeOf({ name: row.name })} onClick={() => onAsk(row)}>
              {words.close}
            </Button>
          )}
          <Link to="/operator/log" search={{ subject: row.id }}>
            {texts.operatorBanks.log}
          </Link>
        </div>
      ),
    },
  ];
}

function ConnectionState({ status, fetchProblem, fetchProblemSince, fileProblem }: Connection) {
  const usual = status === 'active' ? 'good' : 'calm';
  return (
    <div className="reading">
      {!fetchProblem && !fileProblem && (
        <StateMark tone={usual}>{status === 'active' ? words.active : words.paused}</StateMark>
      )}
      {fetchProblem && (
        <>
          <StateMark tone="bad">{words.broken}</StateMark>
          <p className="small">{fetchProblem}</p>
          {fetchProblemSince && (
            <p className="small">
              {words.brokenFor} <Since at={fetchProblemSince} />
            </p>
          )}
          <p className="muted small">{words.brokenHint}</p>
        </>
      )}
      {fileProblem && (
        <>
          <StateMark tone="bad">{words.noFile}</StateMark>
          <p className="small">{fileProblem}</p>
        </>
      )}
      {status !== 'active' && <p className="muted small">{words.pausedMeans}</p>}
    </div>
  );
}

function Way({ transport, hasCredentials, fetchedAt }: Connection) {
  return (
    <>
      {words.ways[transport]}
      {transport === 'sftp' && (
        <div className="small">{hasCredentials ? words.hasCredentials : words.noCredentials}</div>
      )}
      {transport !== 'manual' && (
        <div className="muted small">
          {fetchedAt ? (
            <>
              {words.fetched} <Time at={fetchedAt} />
            </>
          ) : (
            words.neverFetched
          )}
        </div>
      )}
    </>
  );
}
