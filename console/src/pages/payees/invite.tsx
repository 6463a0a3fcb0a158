import { useState } from 'react';
import { useAct } from '../../app/use-act.ts';
import { Choice } from '../../parts/choice.tsx';
import { FormDialog, type FormValues } from '../../parts/form-dialog.tsx';
import { announce } from '../../parts/live.tsx';
import { Note } from '../../parts/note.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { texts } from '../../texts/texts.ts';
import { payeeInviteDocument } from '../../../../generated/console-types/pages/payees/payees.ts';

const words = texts.payees;

interface InviteProps {
  /** A payee that there is; without one, somebody is registered with the invitation. */
  readonly payee?: { readonly id: string; readonly email: string };
  readonly open: boolean;
  onClose(): void;
  onDone(): void;
}

/** Mails a payee a link to a form, in which they give their details themselves. */
export function InviteDialog({ payee, open, onClose, onDone }: InviteProps) {
  const { act, busy, fault, forget } = useAct(payeeInviteDocument);
  const [type, setType] = useState<keyof typeof words.types>('person');
  const [scope, setScope] = useState<keyof typeof words.scopes>('full_onboarding');
  const [refused, setRefused] = useState<string | null>(null);
  const close = () => {
    forget();
    setRefused(null);
    onClose();
  };
  const who = (given: FormValues) => {
    if (payee !== undefined) return { beneficiaryId: payee.id, scope };
    const email = given('email');
    if (type === 'business') {
      return { email, beneficiaryType: type, businessName: given('businessName') };
    }
    const names = { firstName: given('firstName'), lastName: given('lastName') };
    return { email, beneficiaryType: type, ...names };
  };
  return (
    <FormDialog
      title={payee === undefined ? words.invite : words.inviteAgain}
      action={words.sendLink}
      open={open}
      busy={busy}
      fault={fault}
      onClose={close}
      onSubmit={async (given) => {
        setRefused(null);
        const [result] = (await act({ invites: [who(given)] }))?.collectionInvite ?? [];
        if (result === undefined) return;
        if (result.error) return setRefused(result.error.message);
        announce(words.wasInvited({ email: payee?.email ?? given('email') }));
        onDone();
      }}
    >
      <p className="muted">{words.inviteHint}</p>
      {payee === undefined ? (
        <>
          <Choice
            label={words.type}
            options={words.types}
            value={type}
            onChange={(chosen) => setType(chosen ?? 'person')}
          />
          <TextField label={words.email} name="email" type="email" required autoComplete="off" />
          {type === 'business' ? (
            <TextField label={words.businessName} name="businessName" required />
          ) : (
            <div className="columns">
              <TextField label={words.firstName} name="firstName" required />
              <TextField label={words.lastName} name="lastName" required />
            </div>
          )}
        </>
      ) : (
        <Choice
          label={words.scope}
          options={words.scopes}
          value={scope}
          onChange={(chosen) => setScope(chosen ?? 'full_onboarding')}
        />
      )}
      {refused !== null && (
        <div role="alert">
          <Note tone="bad">{refused}</Note>
        </div>
      )}
    </FormDialog>
  );
}
