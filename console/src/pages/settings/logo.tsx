import { useRef, useState } from 'react';
import { useMay } from '../../app/session.ts';
import { useAct } from '../../app/use-act.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { announce } from '../../parts/live.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { texts } from '../../texts/texts.ts';
import type { SettingsQuery } from '../../../../generated/console-types/graphql.ts';
import { largestLogo, readLogo, type ChosenLogo } from './logo-file.ts';
import { Picture } from './picture.tsx';
import { collectionBrandingUpdateDocument } from '../../../../generated/console-types/pages/settings/settings.ts';

const words = texts.settings.logo;

interface LogoProps {
  readonly logo: SettingsQuery['collectionBranding']['logo'];
  onDone(): void;
}

/** The logo of the pages and mails for payees: seen, replaced and removed. */
export function Logo({ logo, onDone }: LogoProps) {
  const mayChange = useMay('business:write');
  const [removing, setRemoving] = useState(false);
  return (
    <section className="stack" aria-label={words.title}>
      <h3>{words.title}</h3>
      {logo?.content ? (
        <>
          <Picture content={logo.content} label={words.current} otherwise={words.unreadable} />
          <div className="row">
            <span className="muted small">
              {words.size({ width: String(logo.width), height: String(logo.height) })}
            </span>
            {mayChange && <Button onClick={() => setRemoving(true)}>{words.remove}</Button>}
          </div>
        </>
      ) : (
        <p className="muted">{words.none}</p>
      )}
      {mayChange && <NewLogo key={logo?.digest ?? 'none'} onDone={onDone} />}
      <RemoveLogo
        open={removing}
        onClose={() => setRemoving(false)}
        onDone={() => {
          setRemoving(false);
          onDone();
        }}
      />
    </section>
  );
}

/** A file is chosen, looked at, and then used. */
function NewLogo({ onDone }: Pick<LogoProps, 'onDone'>) {
  const { act, busy, fault, forget } = useAct(collectionBrandingUpdateDocument);
  const [chosen, setChosen] = useState<ChosenLogo | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const latest = useRef<File | undefined>(undefined);
  const choose = async (file: File | undefined) => {
    forget();
    latest.current = file;
    const isTooLarge = file !== undefined && file.size > largestLogo;
    setProblem(isTooLarge ? words.tooLarge : null);
    setChosen(null);
    if (file === undefined || isTooLarge) return;
    // A file that was moved, or is on a disk that is gone, cannot be read.
    const read = await readLogo(file).catch(() => null);
    // Another file may have been chosen while this one was read.
    if (latest.current !== file) return;
    setChosen(read);
    if (read === null) setProblem(words.notRead);
  };
  const save = async () => {
    if (chosen === null || (await act({ input: { logo: chosen.content } })) === null) return;
    announce(words.used);
    onDone();
  };
  return (
    <>
      <Field label={words.choose} hint={words.hint} fault={problem}>
        {(field) => (
          <input
            {...field}
            className="input"
            type="file"
            accept="image/png,image/jpeg"
            onChange={({ target }) => void choose(target.files?.[0])}
          />
        )}
      </Field>
      {chosen !== null && (
        <>
          <Picture
            content={chosen.content}
            label={words.chosen({ name: chosen.name })}
            otherwise={words.unreadable}
          />
          <FaultNote fault={fault} />
          <div>
            <Button kind="primary" busy={busy} onClick={() => void save()}>
              {words.use}
            </Button>
          </div>
        </>
      )}
    </>
  );
}

interface RemoveLogoProps {
  readonly open: boolean;
  onClose(): void;
  onDone(): void;
}

function RemoveLogo({ open, onClose, onDone }: RemoveLogoProps) {
  const { act, busy, fault, forget } = useAct(collectionBrandingUpdateDocument);
  return (
    <FormDialog
      title={words.removeTitle}
      action={words.remove}
      danger
      open={open}
      busy={busy}
      fault={fault}
      onClose={() => {
        forget();
        onClose();
      }}
      onSubmit={async () => {
        if ((await act({ input: { logo: null } })) === null) return;
        announce(words.removed);
        onDone();
      }}
    >
      <p className="muted">{words.removeMeans}</p>
    </FormDialog>
  );
}
