import { useState, type SubmitEvent } from 'react';
import { useMutation } from 'urql';
import { makePasskey } from '../../app/passkey.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { announce } from '../../parts/live.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { texts } from '../../texts/texts.ts';
import { faultOf, type Fault } from '../../values/fault.ts';
import {
  passkeyOptionsDocument,
  passkeyRegisterDocument,
} from '../../../../generated/console-types/pages/sessions/sessions.ts';

const words = texts.sessions.passkeys;

interface AddPasskeyProps {
  readonly open: boolean;
  onClose(): void;
  onAdded(): void;
}

/** Makes a passkey in this browser and adds it under a name. */
export function AddPasskey(props: AddPasskeyProps) {
  return (
    <Dialog title={words.addTitle} open={props.open} onClose={props.onClose}>
      <AddForm {...props} />
    </Dialog>
  );
}

function AddForm({ onClose, onAdded }: AddPasskeyProps) {
  const [, askOptions] = useMutation(passkeyOptionsDocument);
  const [, register] = useMutation(passkeyRegisterDocument);
  const [name, setName] = useState('');
  const [missing, setMissing] = useState(false);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);

  /** Why it was not added; null where it was, or where the reader thought better of it. */
  const addAs = async (given: string): Promise<Fault | null> => {
    const asked = await askOptions({});
    if (asked.error !== undefined) return faultOf(asked.error);
    const response = await makePasskey(asked.data?.passkeyRegistrationOptions);
    if (response === null) return null;
    const added = await register({ name: given, response });
    if (added.error !== undefined) return faultOf(added.error);
    announce(words.addedNow({ name: given }));
    onAdded();
    onClose();
    return null;
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const given = name.trim();
    setMissing(given === '');
    if (given === '' || busy) return;
    setBusy(true);
    setFault(await addAs(given));
    setBusy(false);
  };
  return (
    <form className="stack" onSubmit={(event) => void submit(event)} noValidate>
      <Field
        label={words.name}
        hint={words.addHint}
        fault={missing ? words.nameMissing : undefined}
      >
        {(field) => (
          <input
            {...field}
            className="input"
            maxLength={60}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <FaultNote fault={fault} />
      <div className="dialog-actions">
        <Button onClick={onClose}>{texts.action.cancel}</Button>
        <Button type="submit" kind="primary" busy={busy}>
          {words.add}
        </Button>
      </div>
    </form>
  );
}
