import { useState } from 'react';
import { viewerNameSetDocument } from '../../../generated/console-types/app/session.ts';
import { Button } from '../parts/button.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { announce } from '../parts/live.tsx';
import { Note } from '../parts/note.tsx';
import { TextField } from '../parts/text-field.tsx';
import { texts } from '../texts/texts.ts';
import { useSession } from './session.ts';
import { useAct } from './use-act.ts';

const words = texts.people;
const laterKey = 'name-later';

interface NameDialogProps {
  readonly open: boolean;
  onClose(): void;
}

/** Asks for the reader's name, by which colleagues know who did something. */
export function NameDialog({ open, onClose }: NameDialogProps) {
  const { viewer, renew } = useSession();
  const { act, busy, fault, forget } = useAct(viewerNameSetDocument);
  const close = () => {
    forget();
    onClose();
  };
  return (
    <FormDialog
      title={words.nameTitle}
      action={texts.action.save}
      open={open}
      busy={busy}
      fault={fault}
      onClose={close}
      onSubmit={async (given) => {
        const name = { firstName: given('firstName'), lastName: given('lastName') };
        if ((await act(name)) === null) return;
        announce(words.nameSaved);
        close();
        renew();
      }}
    >
      <p className="muted">{words.nameMeans}</p>
      <TextField
        label={texts.payees.firstName}
        name="firstName"
        autoComplete="given-name"
        maxLength={100}
        required
        defaultValue={viewer.firstName ?? ''}
      />
      <TextField
        label={texts.payees.lastName}
        name="lastName"
        autoComplete="family-name"
        maxLength={100}
        required
        defaultValue={viewer.lastName ?? ''}
      />
    </FormDialog>
  );
}

/** Asks a member without a name for it, from the first sign-in on, until they give it or put it off for this visit. */
export function AskName() {
  const { viewer } = useSession();
  const [asked, setAsked] = useState(false);
  const [later, setLater] = useState(() => sessionStorage.getItem(laterKey) === 'true');
  if (viewer.isOperator || viewer.name !== null || later) return null;
  const putOff = () => {
    sessionStorage.setItem(laterKey, 'true');
    setLater(true);
  };
  return (
    <section aria-label={words.nameTitle} className="ask-name no-print">
      <Note>
        <div className="row">
          <span>{words.noName}</span>
          <Button onClick={() => setAsked(true)}>{words.giveName}</Button>
          <Button kind="plain" onClick={putOff}>
            {words.later}
          </Button>
        </div>
      </Note>
      <NameDialog open={asked} onClose={() => setAsked(false)} />
    </section>
  );
}
