import { useFresh } from '../../app/fresh.ts';
import { Failed } from '../../parts/blank.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Page } from '../../parts/page.tsx';
import { texts } from '../../texts/en.ts';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';
import { sessionsDocument } from './sessions.graphql.ts';

/** How the reader signs in, and where they are signed in. */
export function SessionsPage() {
  const { data, fault, refresh } = useFresh(sessionsDocument, {});
  return (
    <Page title={texts.sessions.title} lead={texts.sessions.lead}>
      {data === null && fault === null && <Loading />}
      {data === null && fault !== null && <Failed fault={fault} onRetry={refresh} />}
      {data !== null && (
        <div className="stack">
          {data.passkeys && <Passkeys passkeys={data.passkeys} onChange={refresh} />}
          {data.sessions && <Sessions sessions={data.sessions} onChange={refresh} />}
        </div>
      )}
    </Page>
  );
}
