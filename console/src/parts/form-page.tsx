import type { ReactNode, SubmitEvent } from 'react';
import type { Fault } from '../values/fault.ts';
import { Button } from './button.tsx';
import { Card } from './card.tsx';
import { valuesOf, type FormValues } from './form-dialog.tsx';
import { FaultNote } from './note.tsx';

interface FormPageProps {
  readonly title?: string;
  /** What the button that does it says. */
  readonly action: string;
  readonly busy: boolean;
  readonly fault: Fault | null;
  /** Beside the button: another way. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  /** @param given what the fields hold, by their names, without spaces around it */
  onSubmit(given: FormValues): void | Promise<void>;
}

/** A form that is the content of a page. What its fields hold is read when it is sent. */
export function FormPage(props: FormPageProps) {
  const { title, action, busy, fault, aside, children, onSubmit } = props;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!busy) void onSubmit(valuesOf(event.currentTarget));
  };
  return (
    <Card {...(title === undefined ? {} : { title })}>
      <form className="stack form-page" onSubmit={submit}>
        {children}
        <FaultNote fault={fault} />
        <div className="row">
          <Button type="submit" kind="primary" busy={busy}>
            {action}
          </Button>
          {aside}
        </div>
      </form>
    </Card>
  );
}
