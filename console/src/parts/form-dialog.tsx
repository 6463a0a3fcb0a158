import type { ReactNode, SubmitEvent } from 'react';
import type { Fault } from '../values/fault.ts';
import { texts } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { FaultNote } from './note.tsx';

interface FormDialogProps {
  readonly title: string;
  /** What the button that does it says. */
  readonly action: string;
  readonly danger?: boolean;
  readonly open: boolean;
  readonly busy: boolean;
  readonly fault: Fault | null;
  readonly children: ReactNode;
  onClose(): void;
  /** @param given what the fields hold, by their names, without spaces around it */
  onSubmit(given: FormValues): void | Promise<void>;
}

export type FormValues = (name: string) => string;

/** A dialog with a form. What its fields hold is read when it is sent. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, danger = false, open, busy, fault, children, onClose, onSubmit } = props;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!busy) void onSubmit(valuesOf(event.currentTarget));
  };
  return (
    <Dialog title={title} open={open} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        {children}
        <FaultNote fault={fault} />
        <div className="dialog-actions">
          <Button onClick={onClose}>{texts.action.cancel}</Button>
          <Button type="submit" kind={danger ? 'danger' : 'primary'} busy={busy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Reads the fields of a form by their names. */
export function valuesOf(form: HTMLFormElement): FormValues {
  const data = new FormData(form);
  return (name) => {
    const value = data.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
}
