import { Link } from '@tanstack/react-router';
import { Page } from '../../parts/page.tsx';
import { texts } from '../../texts/texts.ts';
import { BankBatches } from './bank-batches.tsx';
import { BankConnections } from './bank-connections.tsx';

const words = texts.operatorBanks;

/** The files that go to banks, those first that wait for a person, and the connections that they take. */
export function BanksPage() {
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <Link className="button" to="/operator/banks/desk" search={{}}>
          {words.desk.title}
        </Link>
      }
    >
      <div className="stack">
        <BankBatches />
        <BankConnections />
      </div>
    </Page>
  );
}
