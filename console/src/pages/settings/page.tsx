import { useQuery } from 'urql';
import { Failed } from '../../parts/blank.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Page } from '../../parts/page.tsx';
import { texts } from '../../texts/en.ts';
import { faultOf } from '../../values/fault.ts';
import { Approvals } from './approvals.tsx';
import { Branding } from './branding.tsx';
import { Profile } from './profile.tsx';
import { settingsDocument } from './settings.graphql.ts';
import './settings.css';

const words = texts.settings;

/** How approvals work here, who the business is, and how its pages for payees look. Forms do not refresh under who fills them in. */
export function SettingsPage() {
  const [{ data, error }, ask] = useQuery({
    query: settingsDocument,
    requestPolicy: 'cache-and-network',
  });
  const refresh = () => ask({ requestPolicy: 'network-only' });
  return (
    <Page title={words.title} lead={words.lead}>
      {data === undefined ? (
        error === undefined ? (
          <Loading />
        ) : (
          <Failed fault={faultOf(error)} onRetry={refresh} />
        )
      ) : (
        <div className="stack">
          <Approvals isDistinct={data.businessProfile.distinctApprover} onDone={refresh} />
          <Profile profile={data.businessProfile} onDone={refresh} />
          <Branding branding={data.collectionBranding} onDone={refresh} />
        </div>
      )}
    </Page>
  );
}
