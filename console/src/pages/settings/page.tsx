import { useFresh } from '../../app/fresh.ts';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { texts } from '../../texts/texts.ts';
import { Approvals } from './approvals.tsx';
import { Branding } from './branding.tsx';
import { Names } from './names.tsx';
import { Profile } from './profile.tsx';
import { settingsDocument } from '../../../../generated/console-types/pages/settings/settings.ts';
import './settings.css';

const words = texts.settings;

/** How approvals work here, who the business is, and how its pages for payees look. Forms do not refresh under who fills them in. */
export function SettingsPage() {
  const fresh = useFresh(settingsDocument, {}, { everyMs: null });
  const { data, refresh } = fresh;
  return (
    <Page title={words.title} lead={words.lead}>
      {data === null ? (
        <Pending of={fresh} />
      ) : (
        <div className="stack">
          <Approvals isDistinct={data.businessProfile.distinctApprover} onDone={refresh} />
          <Names
            key={data.nameCheckSettings.revision}
            settings={data.nameCheckSettings}
            onDone={refresh}
          />
          <Profile profile={data.businessProfile} onDone={refresh} />
          <Branding branding={data.collectionBranding} onDone={refresh} />
        </div>
      )}
    </Page>
  );
}
