import { useEffect, useState } from 'react';
import { post } from '../../app/auth.ts';
import { Button } from '../../parts/button.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { texts } from '../../texts/texts.ts';
import { isTemporary, type Fault } from '../../values/fault.ts';
import { oneStop } from '../../values/one-stop.ts';

interface OpenLinkProps {
  readonly token: string;
  onDone(): void;
  /** The link is used up, too old, or none. */
  onRefused(): void;
}

/** Whom the link signs in, as the service says. */
interface NamedLink {
  readonly email: string;
  readonly operator: boolean;
  readonly invitation: boolean;
  readonly businesses: readonly string[];
  /** Of an invitation: what it is for, and who invites where that is a member. */
  readonly role: keyof typeof texts.roles | null;
  readonly invitedBy: string | null;
}

function LinkLead({ email, operator, invitation, businesses, role, invitedBy }: NamedLink) {
  const { lead, at, joins, operator: asOperator, notYou } = texts.signIn.link;
  const names = businesses.join(', ');
  const where = oneStop(invitation ? joins({ business: names }) : at({ businesses: names }));
  return (
    <>
      <p>{lead({ email })}</p>
      <p>{operator ? asOperator : where}</p>
      {role !== null && (
        <p>
          {texts.people.invitedAs({ role: texts.roles[role] })}{' '}
          <span className="muted">{texts.members.roleMeans[role]}</span>
        </p>
      )}
      {invitedBy !== null && <p>{texts.people.invitedBy({ name: invitedBy })}</p>}
      <p className="muted">{notYou}</p>
    </>
  );
}

/**
 * Uses the link of a mail by a click, so that a program that only looks at links does not use it up, and nobody is
 * signed in as somebody else unawares.
 */
export function OpenLink({ token, onDone, onRefused }: OpenLinkProps) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const [link, setLink] = useState<NamedLink | null>(null);
  const [looks, setLooks] = useState(1);
  useEffect(() => {
    let over = false;
    void post<{ readonly link: NamedLink }>('link/name', { token }).then((answer) => {
      if (over) return;
      if ('data' in answer) setLink(answer.data.link);
      else if (isTemporary(answer.fault)) setFault(answer.fault);
      else onRefused();
    });
    return () => {
      over = true;
    };
  }, [token, looks, onRefused]);
  const lookAgain = () => {
    setFault(null);
    setLooks(looks + 1);
  };
  const open = async () => {
    setBusy(true);
    const answer = await post('link/consume', { token });
    setBusy(false);
    if ('data' in answer) {
      onDone();
      return;
    }
    setFault(answer.fault);
    if (!isTemporary(answer.fault)) onRefused();
  };
  if (link === null) {
    return (
      <div className="stack">
        <FaultNote fault={fault} />
        <Button kind="primary" busy={fault === null} onClick={lookAgain}>
          {texts.signIn.link.look}
        </Button>
      </div>
    );
  }
  return (
    <div className="stack">
      <LinkLead {...link} />
      <FaultNote fault={fault} />
      <Button kind="primary" busy={busy} onClick={() => void open()}>
        {texts.signIn.link.open}
      </Button>
    </div>
  );
}
