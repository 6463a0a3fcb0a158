import { useState, type SubmitEvent } from 'react';
import { useMay } from '../../app/session.ts';
import { useAct } from '../../app/use-act.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { valuesOf } from '../../parts/form-dialog.tsx';
import { announce } from '../../parts/live.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { texts } from '../../texts/texts.ts';
import type { SettingsQuery } from '../../../../generated/console-types/graphql.ts';
import { Logo } from './logo.tsx';
import { collectionBrandingUpdateDocument } from '../../../../generated/console-types/pages/settings/settings.ts';

const words = texts.settings;

interface BrandingProps {
  readonly branding: SettingsQuery['collectionBranding'];
  onDone(): void;
}

/** How the pages and mails look by which payees give their details. */
export function Branding({ branding, onDone }: BrandingProps) {
  const { act, busy, fault } = useAct(collectionBrandingUpdateDocument);
  const mayChange = useMay('business:write');
  const [language, setLanguage] = useState(branding.language ?? undefined);
  const save = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = valuesOf(event.currentTarget);
    const orNull = (name: string) => (given(name) === '' ? null : given(name));
    const input = {
      color: orNull('color'),
      language: language ?? null,
      privacyUrl: orNull('privacyUrl'),
      supportContact: orNull('supportContact'),
    };
    if ((await act({ input })) === null) return;
    announce(words.saved);
    onDone();
  };
  return (
    <Card title={words.branding}>
      <div className="stack">
        <form className="stack" onSubmit={(event) => void save(event)} noValidate>
          <p className="muted">{words.brandingHint}</p>
          <div className="columns">
            <TextField
              label={words.color}
              name="color"
              defaultValue={branding.color ?? ''}
              placeholder="#3447c4"
              readOnly={!mayChange}
            />
            <Choice
              label={words.language}
              options={words.languages}
              any={words.byCountry}
              value={language}
              onChange={(chosen) => mayChange && setLanguage(chosen)}
            />
            <TextField
              label={words.privacyUrl}
              name="privacyUrl"
              type="url"
              defaultValue={branding.privacyUrl ?? ''}
              readOnly={!mayChange}
            />
            <TextField
              label={words.supportContact}
              name="supportContact"
              defaultValue={branding.supportContact ?? ''}
              readOnly={!mayChange}
            />
          </div>
          <FaultNote fault={fault} />
          {mayChange && (
            <div>
              <Button type="submit" kind="primary" busy={busy}>
                {texts.action.save}
              </Button>
            </div>
          )}
        </form>
        <Logo logo={branding.logo} onDone={onDone} />
      </div>
    </Card>
  );
}
