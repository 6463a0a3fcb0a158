import { useState } from 'react';
import { useAct } from '../../app/use-act.ts';
import { Button } from '../../parts/button.tsx';
import { CopyId } from '../../parts/copy-id.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Note } from '../../parts/note.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { texts } from '../../texts/texts.ts';
import { eventTypes } from './event-types.ts';
import { webhookSubscriptionUpsertDocument } from '../../../../generated/console-types/pages/webhooks/webhooks.ts';

const words = texts.webhooks;

interface RegisterProps {
  readonly open: boolean;
  /** The endpoint that there is; empty where there is none. */
  readonly url: string;
  readonly events: readonly string[];
  onClose(): void;
}

/** Registers an endpoint, or gives it another secret; the secret is shown this once. */
export function RegisterDialog({ open, url, events, onClose }: RegisterProps) {
  const { act, busy, fault, forget } = useAct(webhookSubscriptionUpsertDocument);
  const [secret, setSecret] = useState<string | null>(null);
  const close = () => {
    setSecret(null);
    forget();
    onClose();
  };
  const title = url === '' ? words.register : words.rotate;
  return (
    <>
      <FormDialog
        title={title}
        action={title}
        open={open && secret === null}
        busy={busy}
        fault={fault}
        onClose={() => secret === null && close()}
        onSubmit={async (given) => {
          const enabledEvents = eventTypes.filter((type) => given(type) !== '');
          const done = await act({ input: { url: given('url'), enabledEvents } });
          if (done?.webhookSubscriptionUpsert) setSecret(done.webhookSubscriptionUpsert.secret);
        }}
      >
        {url !== '' && <Note tone="wait">{words.rotateMeans}</Note>}
        <TextField
          label={words.url}
          name="url"
          type="url"
          required
          defaultValue={url}
          hint={words.urlHint}
        />
        <fieldset className="choices">
          <legend>{words.events}</legend>
          {eventTypes.map((type) => (
            <label key={type}>
              <input type="checkbox" name={type} defaultChecked={events.includes(type)} /> {type}
            </label>
          ))}
        </fieldset>
      </FormDialog>
      <Dialog title={words.secret} open={secret !== null} onClose={close}>
        <Note tone="wait">{words.secretHint}</Note>
        <CopyId value={secret ?? ''} name={words.secret} />
        <div className="dialog-actions">
          <Button kind="primary" onClick={close}>
            {texts.keys.kept}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
