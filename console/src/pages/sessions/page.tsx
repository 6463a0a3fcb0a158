import { useFresh } from '../../app/fresh.ts';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { texts } from '../../texts/texts.ts';
import { Language } from './language.tsx';
import { Person } from './person.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';
import { sessionsDocument } from '../../../../generated/console-types/pages/sessions/sessions.ts';

/** How the reader signs in, and where they are signed in. */
export function SessionsPage() {
  const fresh = useFresh(sessionsDocument, {});
  const { data, refresh } = fresh;
  return (
    <Page title={texts.people.account} lead={texts.sessions.lead}>
      {data === null ? (
        <Pending of={fresh} />
      ) : (
        <div className="stack">
          <Language />
          <Person />
          {data.passkeys && <Passkeys passkeys={data.passkeys} onChange={refresh} />}
          {data.sessions && <Sessions sessions={data.sessions} onChange={refresh} />}
        </div>
      )}
    </Page>
  );
}
