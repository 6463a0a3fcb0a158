import { useState, type SubmitEvent } from 'react';
import { post } from '../auth.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { announce } from '../../parts/live.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { texts } from '../../texts/texts.ts';
import type { Fault } from '../../values/fault.ts';
import { keepWayBack } from './way-back.ts';

interface LinkFormProps {
  /** As whom the reader signs in; absent for whoever the address belongs to, a member first. */
  readonly as?: 'operator' | undefined;
  /** The page to which the link leads back, where one was asked for. */
  readonly to: string | undefined;
  /** Who signs in again; absent for whoever comes. */
  readonly email?: string;
}

/** Asks for the address to which a link is mailed. The answer is the same whether somebody has it or not. */
export function LinkForm({ as, to, email: known }: LinkFormProps) {
  const [email, setEmail] = useState(known ?? '');
  const [missing, setMissing] = useState(false);
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const words = texts.signIn;

  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const isEmpty = !/^\S+@\S+$/.test(email.trim());
    setMissing(isEmpty);
    if (isEmpty || busy) return;
    setBusy(true);
    const answer = await post('link', { email: email.trim(), ...(as === undefined ? {} : { as }) });
    setBusy(false);
    const refused = 'fault' in answer ? answer.fault : null;
    setFault(refused);
    setSent(refused === null);
    if (refused !== null) return;
    keepWayBack(to);
    announce(words.sent.title);
  };

  if (sent) {
    return (
      <div className="stack">
        <h2>{words.sent.title}</h2>
        <p>{words.sent.text({ email: email.trim() })}</p>
        <Button onClick={() => setSent(false)}>
          {known === undefined ? words.sent.again : words.sent.another}
        </Button>
      </div>
    );
  }
  return (
    <form className="stack" onSubmit={(event) => void send(event)} noValidate>
      {known === undefined && (
        <>
          <p className="muted">{as === undefined ? words.lead : words.operator.lead}</p>
          <Field label={words.email} fault={missing ? words.emailMissing : undefined}>
            {(field) => (
              <input
                {...field}
                className="input"
                type="email"
                autoComplete="username webauthn"
                inputMode="email"
                value={email}
                onChange={(event) => setEmail(event.target.value)}
              />
            )}
          </Field>
        </>
      )}
      <FaultNote fault={fault} />
      <Button type="submit" kind="primary" busy={busy}>
        {words.send}
      </Button>
    </form>
  );
}
