import type { ProviderAccountPartsFragment } from '../../../../generated/console-types/graphql.ts';
import { texts } from '../../texts/texts.ts';
import { ConnectionMark } from '../banking/state.tsx';
import { Card } from '../card.tsx';
import { CopyId } from '../copy-id.tsx';
import { Facts } from '../facts.tsx';
import { adapterName, fieldName } from './names.ts';

const words = texts.accounts;

/** What is known of an account, and where the provider has to post its events. */
export const AccountFacts = ({ of }: { readonly of: ProviderAccountPartsFragment }) => (
  <Card title={words.account} aside={<ConnectionMark status={of.status} />}>
    <Facts
      facts={[
        [words.provider, adapterName(of.adapter)],
        ...of.settings.map(({ name, value }) => [fieldName(name), value] as const),
        [
          words.webhookAddress,
          <CopyId
            key="path"
            value={new URL(of.webhookPath, location.origin).href}
            name={words.webhookAddress}
          />,
        ],
        [words.id, <CopyId key="id" value={of.id} name={words.id} />],
      ]}
    />
  </Card>
);
