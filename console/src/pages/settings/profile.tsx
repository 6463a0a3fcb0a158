import type { SubmitEvent } from 'react';
import { useMay } from '../../app/session.ts';
import { useAct } from '../../app/use-act.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { valuesOf } from '../../parts/form-dialog.tsx';
import { announce } from '../../parts/live.tsx';
import { FaultNote, Note } from '../../parts/note.tsx';
import { StateMark, type Tone } from '../../parts/state.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { texts } from '../../texts/texts.ts';
import type { SettingsQuery } from '../../../../generated/console-types/graphql.ts';
import { businessProfileUpdateDocument } from '../../../../generated/console-types/pages/settings/settings.ts';

const words = texts.settings;
type BusinessProfile = SettingsQuery['businessProfile'];

const tones: Readonly<Record<BusinessProfile['profileStatus'], Tone>> = {
  incomplete: 'wait',
  submitted: 'go',
  accepted: 'good',
};

interface ProfileProps {
  readonly profile: BusinessProfile;
  onDone(): void;
}

/** What the business says about itself, which the platform accepts before real money moves. */
export function Profile({ profile, onDone }: ProfileProps) {
  const { act, busy, fault } = useAct(businessProfileUpdateDocument);
  const mayChange = useMay('business:write');
  const save = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = valuesOf(event.currentTarget);
    const orNull = (name: string) => (given(name) === '' ? null : given(name));
    const address = {
      line1: given('line1'),
      line2: orNull('line2'),
      city: given('city'),
      state: orNull('state'),
      postalCode: orNull('postalCode'),
      country: given('addressCountry').toUpperCase(),
    };
    const hasAddress = address.line1 !== '' || address.city !== '' || address.country !== '';
    const input = {
      legalName: orNull('legalName'),
      registrationNumber: orNull('registrationNumber'),
      country: orNull('country')?.toUpperCase() ?? null,
      website: orNull('website'),
      industry: orNull('industry'),
      contactPhone: orNull('contactPhone'),
      address: hasAddress ? address : null,
    };
    if ((await act({ input })) === null) return;
    announce(words.saved);
    onDone();
  };
  const line = (name: keyof typeof words.fields, value: string | null | undefined) => (
    <TextField
      key={name}
      label={words.fields[name]}
      name={name}
      defaultValue={value ?? ''}
      readOnly={!mayChange}
      maxLength={name === 'country' || name === 'addressCountry' ? 2 : 200}
    />
  );
  return (
    <Card
      title={words.profile}
      aside={
        <StateMark tone={tones[profile.profileStatus]}>
          {words.profileStates[profile.profileStatus]}
        </StateMark>
      }
    >
      <form className="stack" onSubmit={(event) => void save(event)} noValidate>
        <p className="muted">{words.profileMeans[profile.profileStatus]}</p>
        {profile.profileDeclineReason && (
          <Note tone="bad">
            <strong>{texts.people.declined}</strong> {profile.profileDeclineReason}{' '}
            {texts.people.declinedHint}
          </Note>
        )}
        <div className="columns">
          {line('legalName', profile.legalName)}
          {line('registrationNumber', profile.registrationNumber)}
          {line('country', profile.country)}
          {line('website', profile.website)}
          {line('industry', profile.industry)}
          {line('contactPhone', profile.contactPhone)}
        </div>
        <h3>{words.address}</h3>
        <div className="columns">
          {line('line1', profile.address?.line1)}
          {line('line2', profile.address?.line2)}
          {line('postalCode', profile.address?.postalCode)}
          {line('city', profile.address?.city)}
          {line('state', profile.address?.state)}
          {line('addressCountry', profile.address?.country)}
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
    </Card>
  );
}
