import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { pageOf } from '../../app/place.ts';
import { useMay } from '../../app/session.ts';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { grouped, texts } from '../../texts/texts.ts';
import { authorName } from '../../values/author.ts';
import { payoutBatchesDocument } from '../../../../generated/console-types/pages/batches/batches.ts';
import { BatchState } from './batch-state.tsx';

const words = texts.batches;

/** The batches of payouts, newest first. */
export function BatchesPage() {
  const place = useSearch({ from: '/shell/payouts/batches' });
  const navigate = useNavigate({ from: '/payouts/batches' });
  const mayMake = useMay('payouts:write');
  const fresh = useFresh(payoutBatchesDocument, pageOf(place));
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        mayMake && (
          <Link className="button" data-kind="primary" to="/payouts/import">
            {texts.payouts.import}
          </Link>
        )
      }
    >
      <Card flush>
        <Listing
          caption={words.title}
          fresh={fresh}
          page={fresh.data?.payoutBatches ?? null}
          place={place}
          onPlace={(to) => void navigate({ search: to })}
          versionOf={({ updatedAt }) => updatedAt}
          empty={<Empty title={words.empty}>{words.emptyHint}</Empty>}
          columns={[
            {
              name: 'name',
              title: words.name,
              cell: ({ id, name }) => (
                <Link to="/payouts/batches/$id" params={{ id }} search={{}}>
                  {name}
                </Link>
              ),
            },
            {
              name: 'state',
              title: words.state,
              cell: ({ state }) => <BatchState state={state} />,
            },
            {
              name: 'rows',
              title: words.rows,
              align: 'end',
              cell: ({ rowCount }) => grouped(rowCount),
            },
            { name: 'made', title: words.made, cell: ({ createdAt }) => <Time at={createdAt} /> },
            {
              name: 'by',
              title: words.by,
              cell: ({ createdBy }) => (createdBy ? authorName(createdBy) : '–'),
            },
          ]}
        />
      </Card>
    </Page>
  );
}
