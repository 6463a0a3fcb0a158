import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { operatorConnectionPageDocument } from '../../../../generated/console-types/pages/operator-business/banks.ts';
import { useFresh } from '../../app/fresh.ts';
import { Checks } from '../../parts/banking/checks.tsx';
import { ConnectionFacts } from '../../parts/banking/connection-facts.tsx';
import { ConnectionMark } from '../../parts/banking/state.tsx';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { texts } from '../../texts/texts.ts';
import { BringFile } from './bring-file.tsx';
import { ChangeConnection } from './change.tsx';
import { PastBatches, PastFiles } from './past-files.tsx';

const words = texts.banks.connection;

/** One connection of a business: its steps, its settings, and every file to its bank and from it. */
export function OperatorConnectionPage() {
  const { id, connection: connectionId } = useParams({
    from: '/shell/operator/businesses/$id/banks/$connection',
  });
  const search = useSearch({ from: '/shell/operator/businesses/$id/banks/$connection' });
  const navigate = useNavigate({ from: '/operator/businesses/$id/banks/$connection' });
  const { environment } = search;
  const [brought, setBrought] = useState(0);
  const fresh = useFresh(operatorConnectionPageDocument, { id, environment, connectionId });
  const operated = fresh.data?.operatorBanking.connections.find((one) => one.id === connectionId);
  const isMissing = fresh.fault?.code === 'not_found';
  const tenant = { businessId: id, environment, connectionId };
  const turn = (name: 'batches' | 'files', after: string | undefined) => {
    const { [name]: _left, ...kept } = search;
    const to = after === undefined ? kept : { ...kept, [name]: after };
    void navigate({ search: to, resetScroll: false });
  };
  return (
    <Page
      title={operated?.connection.name ?? words.title}
      lead={<code>{connectionId}</code>}
      actions={
        <Link
          className="button"
          to="/operator/businesses/$id/banks"
          params={{ id }}
          search={{ environment }}
        >
          {texts.operatorBusiness.banksTitle}
        </Link>
      }
    >
      {isMissing ? (
        <Empty title={words.none} />
      ) : operated === undefined || fresh.data === null ? (
        <Pending of={fresh} lines={10} />
      ) : (
        <div className="stack">
          <Checks checks={fresh.data.operatorBankConnectionChecks} />
          <Card title={words.title} aside={<ConnectionMark status={operated.connection.status} />}>
            <ConnectionFacts of={operated.connection} />
            {operated.transportFacts.map((fact) => (
              <div key={fact} className="small">
                <code>{fact}</code>
              </div>
            ))}
          </Card>
          {environment === 'production' && operated.connection.status !== 'closed' && (
            <ChangeConnection
              key={operated.connection.version}
              businessId={id}
              operated={operated}
              onDone={fresh.refresh}
            />
          )}
          <BringFile {...tenant} onDone={() => setBrought((count) => count + 1)} />
          <PastFiles
            key={brought}
            {...tenant}
            after={search.files}
            onAfter={(after) => turn('files', after)}
          />
          <PastBatches
            {...tenant}
            after={search.batches}
            onAfter={(after) => turn('batches', after)}
          />
        </div>
      )}
    </Page>
  );
}
