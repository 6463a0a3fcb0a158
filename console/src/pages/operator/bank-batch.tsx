import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useFresh } from '../../app/fresh.ts';
import { Amount } from '../../parts/amount.tsx';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { CopyId } from '../../parts/copy-id.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { Time } from '../../parts/time.tsx';
import { listed, texts } from '../../texts/texts.ts';
import { shortDay } from '../../values/time.ts';
import type { OperatorBankBatchQuery } from '../../../../generated/console-types/graphql.ts';
import { BatchActs, BatchDialogs, BatchStep, type AskedOfBatch } from './bank-batch-step.tsx';
import { BatchState } from './bank-batches.tsx';
import { BankPayments } from './bank-payments.tsx';
import { operatorBankBatchDocument } from '../../../../generated/console-types/pages/operator/banks.ts';
import { OfBusiness } from './place.tsx';

const words = texts.operatorBanks.batch;
const common = texts.operatorBanks.batches;

type Batch = NonNullable<OperatorBankBatchQuery['operatorBankBatch']>;

/** One file for a bank: what it is, what happens with it next, what happened when, and its payments. */
export function BankBatchPage() {
  const { id } = useParams({ from: '/shell/operator/banks/batches/$id' });
  const fresh = useFresh(operatorBankBatchDocument, { batchId: id });
  const { data, refresh } = fresh;
  const batch = data?.operatorBankBatch ?? null;
  return (
    <Page
      title={words.title}
      lead={<code>{batch?.fileName ?? id}</code>}
      actions={
        <Link className="button" to="/operator/banks" search={{}}>
          {texts.operatorBanks.title}
        </Link>
      }
    >
      {data === null ? (
        <Pending of={fresh} lines={10} />
      ) : batch === null ? (
        <Empty title={words.none} />
      ) : (
        <div className="stack">
          <NextStep batch={batch} onDone={refresh} />
          <File batch={batch} />
          <History batch={batch} />
          <BankPayments batchId={id} />
        </div>
      )}
    </Page>
  );
}

interface OfBatch {
  readonly batch: Batch;
}

function NextStep({ batch, onDone }: OfBatch & { onDone(): void }) {
  const [asked, setAsked] = useState<AskedOfBatch | null>(null);
  return (
    <Card title={common.step} aside={<BatchState status={batch.status} />}>
      <div className="stack">
        <BatchStep batch={batch} />
        <div className="row">
          <BatchActs batch={batch} onAsk={setAsked} />
        </div>
      </div>
      <BatchDialogs asked={asked} onClose={() => setAsked(null)} onDone={onDone} />
    </Card>
  );
}

function File({ batch }: OfBatch) {
  return (
    <Card title={common.file}>
      <Facts
        facts={[
          [words.of, <OfBusiness key="of" of={batch} />],
          [words.connection, batch.connection],
          [common.name, <CopyId key="name" value={batch.fileName} name={common.name} />],
          [
            texts.operatorBanks.step.sha256,
            <CopyId key="sha256" value={batch.sha256} name={texts.operatorBanks.step.sha256} />,
          ],
          [words.message, <CopyId key="message" value={batch.messageId} name={words.message} />],
          [words.id, <CopyId key="id" value={batch.id} name={words.id} />],
          [words.size, words.bytes({ count: batch.sizeBytes })],
          [
            words.controlSum,
            <Amount key="sum" minor={batch.controlSumMinor} currency={batch.currency} />,
          ],
          [words.count, common.payments({ count: batch.paymentCount })],
          [words.execution, shortDay(batch.executionDate)],
        ]}
      />
    </Card>
  );
}

/** A time that has come, or nothing. */
const timeOf = (at: string | null | undefined) => (at ? <Time at={at} /> : null);

function History({ batch }: OfBatch) {
  const { downloadedBy, closedBy, closedAt, sendingAt, sentAt, takenAt, uploadedBy } = batch;
  return (
    <Card
      title={words.history}
      aside={
        <Link to="/operator/log" search={{ subject: batch.id }}>
          {texts.operatorBanks.log}
        </Link>
      }
    >
      <Facts
        facts={[
          [words.closed[closedBy], timeOf(closedAt)],
          [batch.byHand ? words.firstDownload : words.sending, timeOf(sendingAt)],
          [words.downloadedBy, downloadedBy.length === 0 ? null : listed(downloadedBy)],
          [words.resendAskedBy, batch.resendAskedBy],
          [words.sent, timeOf(sentAt)],
          [words.uploadedBy, uploadedBy],
          [words.taken, timeOf(takenAt)],
        ]}
      />
    </Card>
  );
}
