import { useState } from 'react';
import { useAct } from '../../app/use-act.ts';
import { FormDialog, type FormValues } from '../../parts/form-dialog.tsx';
import { announce } from '../../parts/live.tsx';
import { Note } from '../../parts/note.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { Choice } from '../../parts/choice.tsx';
import { texts } from '../../texts/texts.ts';
import { dayBefore } from '../../values/time.ts';
import { webhookDeliveriesRedeliverDocument } from '../../../../generated/console-types/pages/webhooks/webhooks.ts';

const words = texts.webhooks;

interface ReplayProps {
  readonly open: boolean;
  onClose(): void;
  onDone(): void;
}

/** Sends the deliveries of a window of time again; first it says how many that are. */
export function ReplayDialog({ open, onClose, onDone }: ReplayProps) {
  const { act, busy, fault, forget } = useAct(webhookDeliveriesRedeliverDocument);
  const [counted, setCounted] = useState<number | null>(null);
  const [status, setStatus] = useState<keyof typeof words.ended>('dead');
  const close = () => {
    setCounted(null);
    forget();
    onClose();
  };
  const submit = async (given: FormValues) => {
    const window = {
      createdSince: new Date(given('since')).toISOString(),
      createdBefore: new Date(given('before')).toISOString(),
      status,
    };
    const dryRun = counted === null;
    const done = await act({ input: { ...window, dryRun } });
    if (!done?.webhookDeliveriesRedeliver) return;
    const { count } = done.webhookDeliveriesRedeliver;
    if (dryRun) return setCounted(count);
    announce(words.replayed({ count }));
    setCounted(null);
    onDone();
  };
  return (
    <FormDialog
      title={words.replayWindow}
      action={counted === null ? words.count : words.sendAgain({ count: counted })}
      open={open}
      busy={busy}
      fault={fault}
      onClose={close}
      onSubmit={(given) => void submit(given)}
    >
      <p className="muted">{words.replayHint}</p>
      <div className="columns">
        <TextField
          label={words.from}
          name="since"
          type="datetime-local"
          required
          defaultValue={`${dayBefore(1)}T00:00`}
          onInput={() => setCounted(null)}
        />
        <TextField
          label={words.until}
          name="before"
          type="datetime-local"
          required
          defaultValue={`${dayBefore(-1)}T00:00`}
          onInput={() => setCounted(null)}
        />
      </div>
      <Choice
        label={words.state}
        options={words.ended}
        value={status}
        onChange={(chosen) => {
          setStatus(chosen ?? 'dead');
          setCounted(null);
        }}
      />
      {counted !== null && <Note>{words.wouldSend({ count: counted })}</Note>}
    </FormDialog>
  );
}
