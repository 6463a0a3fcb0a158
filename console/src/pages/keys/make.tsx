import { useState } from 'react';
import { useAct } from '../../app/use-act.ts';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { CopyId } from '../../parts/copy-id.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Note } from '../../parts/note.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { texts } from '../../texts/texts.ts';
import { apiKeyCreateDocument } from '../../../../generated/console-types/pages/keys/keys.ts';

const words = texts.keys;

interface MakeKeyProps {
  readonly open: boolean;
  readonly environment: 'sandbox' | 'production';
  onClose(): void;
}

/** Makes a key of one's own and shows it this once. */
export function MakeKey({ open, environment, onClose }: MakeKeyProps) {
  const { act, busy, fault, forget } = useAct(apiKeyCreateDocument);
  const [key, setKey] = useState<string | null>(null);
  const [role, setRole] = useState<keyof typeof texts.roles>('developer');
  const close = () => {
    setKey(null);
    forget();
    onClose();
  };
  return (
    <>
      <FormDialog
        title={words.make}
        action={words.make}
        open={open && key === null}
        busy={busy}
        fault={fault}
        onClose={() => key === null && close()}
        onSubmit={async (given) => {
          const name = given('name');
          const done = await act({ input: { name, role, environment } });
          if (done?.apiKeyCreate) setKey(done.apiKeyCreate.key);
        }}
      >
        <p className="muted">{words.makeHint({ environment: texts.environment[environment] })}</p>
        <TextField label={words.name} name="name" required maxLength={100} hint={words.nameHint} />
        <Choice
          label={words.role}
          options={texts.roles}
          value={role}
          hint={texts.members.roleMeans[role]}
          onChange={(chosen) => setRole(chosen ?? 'developer')}
        />
      </FormDialog>
      <Dialog title={words.once} open={key !== null} onClose={close}>
        <Note tone="wait">{words.onceHint}</Note>
        <CopyId value={key ?? ''} name={words.key} />
        <div className="dialog-actions">
          <Button kind="primary" onClick={close}>
            {words.kept}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
