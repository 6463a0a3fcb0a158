import { useCallback, useEffect, useState } from 'react';
import { Client, fetchExchange } from 'urql';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FaultNote, Note } from '../parts/note.tsx';
import { texts } from '../texts/texts.ts';
import { faultOf, type Fault } from '../values/fault.ts';
import { consoleHeader } from './client.ts';
import { whenOtherTabs } from './other-tabs.ts';
import {
  sessionSwitchDocument,
  viewerDocument,
} from '../../../generated/console-types/app/session.ts';
import type { Viewer } from './session.ts';
import { LinkForm } from './sign-in/link-form.tsx';
import { OtherWays } from './sign-in/other-ways.tsx';

const words = texts.signIn.again;

/** Who is signed in by now. */
type Now =
  | { readonly kind: 'nobody' | 'same' }
  /** The same person for another business or environment, or somebody else. */
  | { readonly kind: 'elsewhere' | 'other'; readonly viewer: Viewer }
  | { readonly kind: 'unknown'; readonly fault: Fault };

/** Asks past what the page has read, for nobody: whoever is signed in by now need not be who it is of. */
const makeClient = () =>
  new Client({
    url: '/graphql',
    preferGetMethod: false,
    exchanges: [fetchExchange],
    fetchOptions: { credentials: 'same-origin', headers: { [consoleHeader]: '1' } },
  });

async function whoIsNow(before: Viewer): Promise<Now> {
  const { data, error } = await makeClient().query(viewerDocument, {});
  const fault = error === undefined ? null : faultOf(error);
  const viewer = data?.viewer ?? null;
  if (fault?.code === 'unauthorized' || (fault === null && viewer === null))
    return { kind: 'nobody' };
  if (fault !== null || viewer === null) return { kind: 'unknown', fault: fault ?? faultOf(error) };
  if (viewer.id !== before.id) return { kind: 'other', viewer };
  return viewer.actingFor === before.actingFor ? { kind: 'same' } : { kind: 'elsewhere', viewer };
}

/** Leads the new session to the business and environment that the page is of. */
async function switchBack({ businessId, environment }: Viewer): Promise<Now> {
  if (businessId == null || environment == null) return { kind: 'same' };
  const place = { businessId, environment };
  const { error } = await makeClient().mutation(sessionSwitchDocument, place);
  return error === undefined ? { kind: 'same' } : { kind: 'unknown', fault: faultOf(error) };
}

interface SessionEndedProps {
  /** Whose page it is. */
  readonly viewer: Viewer;
  /** Where the page is, for the link of a mail. */
  readonly to: string;
  /** The same person is signed in again, for the same business and environment. */
  onResumed(): void;
  /** The reader gives up what the page holds. */
  onLeft(): void;
}

/**
 * Covers a page whose session has ended, until the same person has signed in again, here or in another tab: what they saw
 * and typed stays as it was. Nobody else goes on with it.
 */
export function SessionEnded({ viewer, to, onResumed, onLeft }: SessionEndedProps) {
  const [now, setNow] = useState<Now>({ kind: 'nobody' });
  const [asked, setAsked] = useState(false);
  const look = useCallback(
    async (goOn: boolean) => {
      const seen = await whoIsNow(viewer);
      const result = goOn && seen.kind === 'elsewhere' ? await switchBack(viewer) : seen;
      setNow(result);
      setAsked(goOn);
      if (result.kind === 'same') onResumed();
    },
    [viewer, onResumed],
  );
  useEffect(() => {
    const seen = () => {
      if (document.visibilityState === 'visible') void look(false);
    };
    const stop = whenOtherTabs('signed-in', () => void look(false));
    seen();
    document.addEventListener('visibilitychange', seen);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', seen);
    };
  }, [look]);
  const as = viewer.isOperator ? 'operator' : undefined;
  return (
    <Dialog title={words.title} covers open>
      <p>{words.text({ email: viewer.email })}</p>
      <FaultNote fault={now.kind === 'unknown' ? now.fault : null} />
      <div role="status">
        {now.kind === 'elsewhere' && <Note tone="wait">{words.elsewhere}</Note>}
        {now.kind === 'other' && (
          <Note tone="wait">{words.other({ now: now.viewer.email, before: viewer.email })}</Note>
        )}
        {now.kind === 'nobody' && asked && <Note tone="wait">{words.nobody}</Note>}
      </div>
      <LinkForm as={as} to={to} email={viewer.email} />
      <OtherWays as={as} inOtherTab onDone={() => void look(true)} />
      <div className="dialog-actions">
        <Button onClick={onLeft}>{words.leave}</Button>
        <Button kind="primary" onClick={() => void look(true)}>
          {words.goOn}
        </Button>
      </div>
    </Dialog>
  );
}
