import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { forwards } from '../../app/place.ts';
import { Amount } from '../../parts/amount.tsx';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { CopyId } from '../../parts/copy-id.tsx';
import { StateMark, type Tone } from '../../parts/state.tsx';
import type { Column } from '../../parts/table.tsx';
import { texts } from '../../texts/texts.ts';
import { shortDay } from '../../values/time.ts';
import {
  BatchActs,
  BatchDialogs,
  BatchStep,
  type AskedOfBatch,
  type Batch,
} from './bank-batch-step.tsx';
import { operatorBankBatchesDocument } from '../../../../generated/console-types/pages/operator/banks.ts';
import { OfConnection } from './place.tsx';

const words = texts.operatorBanks.batches;

const tones: Readonly<Record<Batch['status'], Tone>> = {
  closed: 'wait',
  sending: 'go',
  sent: 'good',
  unknown: 'bad',
  rejected: 'bad',
};

/** What is known of a file, by word and colour. */
export function BatchState({ status }: Pick<Batch, 'status'>) {
  return <StateMark tone={tones[status]}>{words.states[status]}</StateMark>;
}

/** The files that are not certainly at their banks, with what a person does next. */
export function BankBatches() {
  const { connections, ...place } = useSearch({ from: '/shell/operator/banks' });
  const navigate = useNavigate({ from: '/operator/banks' });
  const fresh = useFresh(operatorBankBatchesDocument, forwards(place));
  const [asked, setAsked] = useState<AskedOfBatch | null>(null);
  const others = connections === undefined ? {} : { connections };
  return (
    <Card title={words.title} flush aside={<span className="muted small">{words.lead}</span>}>
      <Listing
        caption={words.title}
        fresh={fresh}
        page={fresh.data?.operatorBankBatches ?? null}
        place={place}
        onPlace={(to) => void navigate({ search: { ...others, ...to } })}
        versionOf={({ status, downloadedBy, resendAskedBy }) =>
          `${status} ${downloadedBy.join(' ')} ${resendAskedBy ?? ''}`
        }
        empty={<Empty title={words.none} />}
        columns={columnsOf(setAsked)}
      />
      <BatchDialogs asked={asked} onClose={() => setAsked(null)} onDone={fresh.refresh} />
    </Card>
  );
}

function columnsOf(onAsk: (asked: AskedOfBatch) => void): readonly Column<Batch>[] {
  return [
    {
      name: 'file',
      title: words.file,
      cell: (row) => (
        <div className="reading">
          <Link to="/operator/banks/batches/$id" params={{ id: row.id }} search={{}}>
            <code>{row.fileName}</code>
          </Link>
          <OfConnection of={row} />
        </div>
      ),
    },
    {
      name: 'sum',
      title: words.sum,
      align: 'end',
      cell: ({ controlSumMinor, currency, paymentCount }) => (
        <>
          <Amount minor={controlSumMinor} currency={currency} />
          <div className="muted small">{words.payments({ count: paymentCount })}</div>
        </>
      ),
    },
    {
      name: 'state',
      title: words.state,
      cell: ({ status, executionDate }) => (
        <>
          <BatchState status={status} />
          <div className="muted small">{words.execution({ day: shortDay(executionDate) })}</div>
        </>
      ),
    },
    {
      name: 'step',
      title: words.step,
      cell: (row) => (
        <>
          <BatchStep batch={row} />
          {row.needsOperator && (
            <div className="reading small">
              {texts.operatorBanks.step.sha256}{' '}
              <CopyId value={row.sha256} name={texts.operatorBanks.step.sha256} />
            </div>
          )}
        </>
      ),
    },
    {
      name: 'actions',
      title: texts.operatorBanks.actions,
      cell: (row) => (
        <div className="row">
          <BatchActs batch={row} onAsk={onAsk} />
        </div>
      ),
    },
  ];
}
