import { Link, useParams } from '@tanstack/react-router';
import { refreshAll, useFresh } from '../../app/fresh.ts';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { CopyId } from '../../parts/copy-id.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { authorName } from '../../values/author.ts';
import { payoutBatchDocument } from '../../../../generated/console-types/pages/batches/batches.ts';
import { BatchActions } from './actions.tsx';
import { BatchState } from './batch-state.tsx';
import { Problems } from './problems.tsx';
import { BatchRows } from './rows.tsx';
import type { ShownBatch } from './shown-batch.ts';
import { Sums } from './sums.tsx';

const words = texts.batches;

/** Its payouts are being made at this moment, and somebody looks on. */
const hurriedMs = 2_000;
const usualMs = 15_000;

const periodOf = (batch: ShownBatch | null): number =>
  batch?.state === 'submitted' && batch.madeAt === null ? hurriedMs : usualMs;

/** One batch: how far it is, what it comes to, what is wrong, and its rows. */
export function BatchPage() {
  const { id } = useParams({ from: '/shell/payouts/batches/$id' });
  const fresh = useFresh(
    payoutBatchDocument,
    { id },
    { everyMs: (data) => periodOf(data?.payoutBatch ?? null) },
  );
  const { data } = fresh;
  const batch = data?.payoutBatch ?? null;
  if (batch === null) {
    return (
      <Page title={words.one}>
        {data === null ? <Pending of={fresh} /> : <Empty title={words.unknown} />}
      </Page>
    );
  }
  return (
    <Page
      title={batch.name}
      lead={
        <Link to="/payouts/batches" search={{}}>
          {words.title}
        </Link>
      }
    >
      <div className="stack">
        <BatchActions batch={batch} onActed={refreshAll} />
        <div className="columns">
          <Card title={words.one}>
            <BatchFacts batch={batch} />
            {batch.madeAt !== null && (
              <a
                className="button"
                href={`/v1/reporting/transactions/export?payout_batch_id=${batch.id}`}
                download={`${batch.id}.csv`}
              >
                {`${texts.exports.download} (CSV)`}
              </a>
            )}
          </Card>
          <Sums batch={batch} />
        </div>
        <Problems batch={batch} onActed={refreshAll} />
        <BatchRows id={batch.id} everyMs={periodOf(batch)} />
      </div>
    </Page>
  );
}

const timeOf = (at: string | null) => at && <Time at={at} />;

function BatchFacts({ batch }: { readonly batch: ShownBatch }) {
  const { createdBy, submittedBy } = batch;
  return (
    <Facts
      facts={[
        [words.state, <BatchState key="state" state={batch.state} />],
        [words.id, <CopyId key="id" value={batch.id} name={words.one} />],
        [words.by, createdBy && authorName(createdBy)],
        [words.made, timeOf(batch.createdAt)],
        [words.checkedAt, batch.isChecked ? timeOf(batch.checkedAt) : words.notChecked],
        [words.submittedBy, submittedBy && authorName(submittedBy)],
        [words.submittedAt, timeOf(batch.submittedAt)],
        [words.approvedAt, timeOf(batch.approvedAt)],
        [words.completedAt, timeOf(batch.completedAt)],
        [words.canceledAt, timeOf(batch.canceledAt)],
      ]}
    />
  );
}
