import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { bankConnectionPageDocument } from '../../../../generated/console-types/pages/banks/banks.ts';
import { useFresh } from '../../app/fresh.ts';
import { useMay, useSession } from '../../app/session.ts';
import { Checks } from '../../parts/banking/checks.tsx';
import { ConnectionFacts } from '../../parts/banking/connection-facts.tsx';
import { ConnectionMark } from '../../parts/banking/state.tsx';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { Note } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { texts } from '../../texts/texts.ts';
import { Batches } from './batches.tsx';
import { ChangeConnection } from './change.tsx';

const words = texts.banks.connection;

/** One account at a bank: whether each step works, its settings, and the files that were made for it. */
export function BankConnectionPage() {
  const { id } = useParams({ from: '/shell/banks/connections/$id' });
  const place = useSearch({ from: '/shell/banks/connections/$id' });
  const navigate = useNavigate({ from: '/banks/connections/$id' });
  const { viewer } = useSession();
  const mayChange = useMay('banks:write');
  const fresh = useFresh(bankConnectionPageDocument, { id });
  const connection = fresh.data?.bankConnections.find((one) => one.id === id) ?? null;
  const isMissing = fresh.fault?.code === 'not_found';
  return (
    <Page
      title={connection?.name ?? words.title}
      lead={words.lead}
      actions={
        <Link className="button" to="/banks">
          {texts.banks.title}
        </Link>
      }
    >
      {isMissing ? (
        <Empty title={words.none} />
      ) : connection === null || fresh.data === null ? (
        <Pending of={fresh} lines={10} />
      ) : (
        <div className="stack">
          <Checks checks={fresh.data.bankConnectionChecks} />
          <Card title={words.title} aside={<ConnectionMark status={connection.status} />}>
            <ConnectionFacts of={connection} />
          </Card>
          {viewer.environment === 'production' && <Note>{words.byOperators}</Note>}
          {viewer.environment === 'sandbox' && mayChange && connection.status !== 'closed' && (
            <ChangeConnection
              key={connection.version}
              connection={connection}
              onDone={fresh.refresh}
            />
          )}
          <Batches
            connectionId={id}
            place={place}
            onPlace={(to) => void navigate({ search: to, resetScroll: false })}
          />
        </div>
      )}
    </Page>
  );
}
