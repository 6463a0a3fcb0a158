import { useState } from 'react';
import { post } from '../../app/auth.ts';
import { Button } from '../../parts/button.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { texts } from '../../texts/en.ts';
import type { Fault } from '../../values/fault.ts';

interface OpenLinkProps {
  readonly token: string;
  onDone(): void;
  /** The link is used up, too old, or none. */
  onRefused(): void;
}

/** Uses the link of a mail by a click, so that a program that only looks at links does not use it up. */
export function OpenLink({ token, onDone, onRefused }: OpenLinkProps) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const open = async () => {
    setBusy(true);
    const answer = await post('link/consume', { token });
    setBusy(false);
    if (!('fault' in answer)) {
      onDone();
      return;
    }
    const isTemporary = ['network', 'service_unavailable', 'too_many_requests'].includes(
      answer.fault.code,
    );
    setFault(answer.fault);
    if (!isTemporary) onRefused();
  };
  return (
    <div className="stack">
      <p className="muted">{texts.signIn.link.lead}</p>
      <FaultNote fault={fault} />
      <Button kind="primary" busy={busy} onClick={() => void open()}>
        {texts.signIn.link.open}
      </Button>
    </div>
  );
}
