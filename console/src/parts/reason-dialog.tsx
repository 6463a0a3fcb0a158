import { useState, type SubmitEvent, type ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';

interface ReasonDialogProps {
  readonly title: string;
  /** What the button that does it says; null where there is nothing to do, and the dialog only tells why. */
  readonly action: string | null;
  readonly danger?: boolean;
  readonly open: boolean;
  readonly busy?: boolean;
  /** Whether a reason must be given. */
  readonly required?: boolean;
  /** Why it was refused, where it was. */
  readonly fault?: ReactNode;
  readonly children?: ReactNode;
  onClose(): void;
  /** @param reason null where none was given */
  onConfirm(reason: string | null): void;
}

/** Asks for the reason of an action before it is done. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, open, onClose } = props;
  return (
    <Dialog title={title} open={open} onClose={onClose}>
      <ReasonForm {...props} />
    </Dialog>
  );
}

function ReasonForm(props: ReasonDialogProps) {
  const { action, danger = false, busy = false, required = false, fault, children } = props;
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const given = reason.trim();
    setMissing(required && given === '');
    if (busy || action === null || (required && given === '')) return;
    props.onConfirm(given === '' ? null : given);
  };
  return (
    <form className="stack" onSubmit={submit} noValidate>
      {children}
      <Field
        label={required ? texts.reason.label : texts.reason.optional}
        fault={missing ? texts.reason.missing : undefined}
      >
        {(field) => (
          <textarea
            {...field}
            className="input"
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
      {fault}
      <div className="dialog-actions">
        <Button onClick={props.onClose}>
          {action === null ? texts.action.close : texts.action.cancel}
        </Button>
        {action !== null && (
          <Button type="submit" kind={danger ? 'danger' : 'primary'} busy={busy}>
            {action}
          </Button>
        )}
      </div>
    </form>
  );
}
