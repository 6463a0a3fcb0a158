import { useEffect, useState } from 'react';
import { post } from '../auth.ts';
import { knowsPasskeys, signWithPasskey } from '../passkey.ts';
import { Button } from '../../parts/button.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { texts } from '../../texts/texts.ts';
import type { Fault } from '../../values/fault.ts';

interface Ways {
  readonly passkey: boolean;
  readonly oidc: boolean;
}

const none: Ways = { passkey: false, oidc: false };

/** What the service offers beside a mailed link; nothing while that is not known. */
function useWays(): Ways {
  const [ways, setWays] = useState(none);
  useEffect(() => {
    const stop = new AbortController();
    const read = async () => {
      const answer = await fetch('/auth/ways', { signal: stop.signal });
      if (answer.ok) setWays((await answer.json()) as Ways);
    };
    // The link by mail is there in any case.
    read().catch(() => undefined);
    return () => stop.abort();
  }, []);
  return ways;
}

interface OtherWaysProps {
  /** As whom the reader signs in with their company; a passkey belongs to a member or to an operator. */
  readonly as?: 'operator' | undefined;
  /** Whether the page of the company opens in another tab, since this one holds what must not be left. */
  readonly inOtherTab?: boolean;
  onDone(): void;
}

/** Passkeys, and the sign-in of the reader's company. */
export function OtherWays({ as, inOtherTab = false, onDone }: OtherWaysProps) {
  const ways = useWays();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const hasPasskeys = ways.passkey && knowsPasskeys();
  if (!hasPasskeys && !ways.oidc) return null;

  const sign = async () => {
    setBusy(true);
    setFault(null);
    const refused = await signIn();
    setBusy(false);
    if (refused === 'done') onDone();
    else setFault(refused);
  };
  return (
    <>
      <p className="or">{texts.signIn.or}</p>
      {hasPasskeys && (
        <Button busy={busy} onClick={() => void sign()}>
          {texts.signIn.passkey}
        </Button>
      )}
      {ways.oidc && (
        <a
          className="button"
          target={inOtherTab ? '_blank' : undefined}
          href={as === undefined ? '/auth/oidc/start' : `/auth/oidc/start?as=${as}`}
        >
          {texts.signIn.oidc}
        </a>
      )}
      <FaultNote fault={fault} />
    </>
  );
}

/** Signs in with a passkey: why not, or null where the reader thought better of it. */
async function signIn(): Promise<'done' | Fault | null> {
  const asked = await post('passkey/options');
  if ('fault' in asked) return asked.fault;
  const response = await signWithPasskey(asked.data);
  if (response === null) return null;
  const answer = await post('passkey/sign-in', { response });
  return 'fault' in answer ? answer.fault : 'done';
}
