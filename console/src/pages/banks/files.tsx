import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { BankFilesQuery } from '../../../../generated/console-types/graphql.ts';
import { bankFilesDocument } from '../../../../generated/console-types/pages/banks/banks.ts';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { pageOf } from '../../app/place.ts';
import { fileColumns } from '../../parts/banking/list-columns.tsx';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { Page } from '../../parts/page.tsx';
import { texts } from '../../texts/texts.ts';
import { Batches } from './batches.tsx';

type BankFile = BankFilesQuery['bankReconciliationFiles']['edges'][number]['node'];

const words = texts.banks.files;

/** Every file that was made for a bank, and every file that came from one. */
export function BankFilesPage() {
  const { files, ...place } = useSearch({ from: '/shell/banks/files' });
  const navigate = useNavigate({ from: '/banks/files' });
  const ofBanks = files === undefined ? {} : { files };
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <Link className="button" to="/banks">
          {texts.banks.title}
        </Link>
      }
    >
      <div className="stack">
        <Batches
          connectionId={null}
          place={place}
          onPlace={(to) => void navigate({ search: { ...ofBanks, ...to }, resetScroll: false })}
        />
        <FilesOfBanks
          after={files}
          onAfter={(after) =>
            void navigate({
              search: { ...place, ...(after === undefined ? {} : { files: after }) },
              resetScroll: false,
            })
          }
        />
      </div>
    </Page>
  );
}

interface FilesProps {
  readonly after: string | undefined;
  onAfter(after: string | undefined): void;
}

function FilesOfBanks({ after, onAfter }: FilesProps) {
  const place = after === undefined ? {} : { after };
  const fresh = useFresh(bankFilesDocument, { ...pageOf(place), filter: null });
  return (
    <Card title={words.ofBanks} flush>
      <Listing
        caption={words.ofBanks}
        fresh={fresh}
        page={fresh.data?.bankReconciliationFiles ?? null}
        place={place}
        onPlace={(to) => onAfter(to.after)}
        versionOf={({ status, appliedAt }) => `${status} ${appliedAt ?? ''}`}
        empty={<Empty title={words.none} />}
        columns={fileColumns<BankFile>()}
      />
    </Card>
  );
}
