import { useState, type ReactNode } from 'react';
import { useAct } from '../../app/use-act.ts';
import { Button } from '../../parts/button.tsx';
import { CopyId } from '../../parts/copy-id.tsx';
import { Facts } from '../../parts/facts.tsx';
import { listed, texts } from '../../texts/texts.ts';
import type { OperatorBankBatchesQuery } from '../../../../generated/console-types/graphql.ts';
import {
  bankBatchResolveDocument,
  bankBatchUploadedDocument,
} from '../../../../generated/console-types/pages/operator/banks.ts';
import { Reasoned } from './reasoned.tsx';
import { Line } from './resolve.tsx';
import { useBatchDownload } from './use-batch-download.ts';

const words = texts.operatorBanks.step;

export type Batch = OperatorBankBatchesQuery['operatorBankBatches']['edges'][number]['node'];

type What = 'download' | 'upload' | 'sent' | 'not_sent';

export interface AskedOfBatch {
  readonly what: What;
  readonly batch: Batch;
}

/** What happens with a file next, in words. */
function stepOf(batch: Batch): string {
  const { status, byHand, downloadedBy, downloadedByYou, resendAskedBy } = batch;
  if (status === 'unknown') {
    if (batch.resendAskedByYou) return words.askedByYou;
    return resendAskedBy ? words.askedBy({ name: resendAskedBy }) : words.ask;
  }
  if (status === 'sent') return batch.takenAt ? words.answers : words.recording;
  if (status === 'rejected') return words.rejected;
  if (!byHand || (status === 'sending' && downloadedBy.length === 0)) return words.worker;
  if (status === 'closed') return words.download;
  return downloadedByYou ? words.yours : words.theirs({ names: listed(downloadedBy) });
}

/** What happens with a file next, and what stands against it. */
export function BatchStep({ batch }: Pick<ActsProps, 'batch'>) {
  const { problem, takenBy } = batch;
  return (
    <div className="reading">
      <p>{stepOf(batch)}</p>
      {problem && <p className="small">{problem}</p>}
      {takenBy && <p className="small">{texts.operator.taken({ who: takenBy })}</p>}
    </div>
  );
}

/** What the reader may do with a file; the service holds to the same. */
function permittedOf({ status, ...batch }: Batch): readonly What[] {
  if (status === 'unknown') return batch.resendAskedByYou ? ['sent'] : ['sent', 'not_sent'];
  if (!batch.byHand) return [];
  if (status === 'closed') return ['download'];
  if (status !== 'sending' || batch.downloadedBy.length === 0) return [];
  return batch.downloadedByYou ? ['download'] : ['upload', 'download'];
}

/** Whether the file waits for just this, so that its button stands out. */
const isDue = ({ downloadedBy }: Batch, what: What): boolean =>
  what === 'upload' || (what === 'download' && downloadedBy.length === 0);

interface ActsProps {
  readonly batch: Batch;
  onAsk(asked: AskedOfBatch): void;
}

/** The buttons for what the reader may do with a file. */
export function BatchActs({ batch, onAsk }: ActsProps) {
  const { fileName, downloadedBy } = batch;
  const buttons: Readonly<Record<What, readonly [string, string]>> = {
    download:
      downloadedBy.length > 0
        ? [words.downloadAgain, words.downloadAgainOf({ file: fileName })]
        : [words.downloadFile, words.downloadOf({ file: fileName })],
    upload: [words.upload, words.uploadOf({ file: fileName })],
    sent: [words.sent, words.sentOf({ file: fileName })],
    not_sent: [words.notSent, words.notSentOf({ file: fileName })],
  };
  return permittedOf(batch).map((what) => (
    <Button
      key={what}
      kind={isDue(batch, what) ? 'primary' : 'usual'}
      aria-label={buttons[what][1]}
      onClick={() => onAsk({ what, batch })}
    >
      {buttons[what][0]}
    </Button>
  ));
}

interface DialogsProps {
  /** Null while nothing is asked. */
  readonly asked: AskedOfBatch | null;
  onClose(): void;
  onDone(): void;
}

const placeOf = (asked: AskedOfBatch | null) => ({
  businessId: asked?.batch.businessId ?? '',
  environment: asked?.batch.environment ?? 'sandbox',
  batchId: asked?.batch.id ?? '',
});

/** The dialogs behind the buttons: each says what follows, shows which file it is about, and asks for the reason. */
export function BatchDialogs(props: DialogsProps) {
  return (
    <>
      <DownloadDialog {...props} />
      <UploadDialog {...props} />
      <ResolveDialog {...props} />
    </>
  );
}

function DownloadDialog({ asked, ...rest }: DialogsProps) {
  const command = useBatchDownload();
  return (
    <Reasoned
      title={words.downloadOf({ file: asked?.batch.fileName ?? '' })}
      action={words.downloadFile}
      open={asked?.what === 'download'}
      command={command}
      variables={(reason) => ({ ...placeOf(asked), reason })}
      said={() => words.downloaded({ file: asked?.batch.fileName ?? '' })}
      {...rest}
    >
      <AboutFile asked={asked}>{words.downloadMeans}</AboutFile>
    </Reasoned>
  );
}

function UploadDialog({ asked, ...rest }: DialogsProps) {
  const command = useAct(bankBatchUploadedDocument);
  return (
    <Reasoned
      title={words.uploadOf({ file: asked?.batch.fileName ?? '' })}
      action={words.upload}
      open={asked?.what === 'upload'}
      command={command}
      variables={(reason) => ({ ...placeOf(asked), reason })}
      said={() => words.uploaded}
      {...rest}
    >
      <AboutFile asked={asked}>{words.uploadMeans}</AboutFile>
    </Reasoned>
  );
}

function ResolveDialog({ asked, onClose, onDone }: DialogsProps) {
  const command = useAct(bankBatchResolveDocument);
  const [evidence, setEvidence] = useState('');
  const fileName = asked?.batch.fileName ?? '';
  const isThere = asked?.what === 'sent';
  return (
    <Reasoned
      title={isThere ? words.sentOf({ file: fileName }) : words.notSentOf({ file: fileName })}
      action={isThere ? words.sent : words.notSent}
      danger={!isThere}
      open={isThere || asked?.what === 'not_sent'}
      command={command}
      variables={(reason) => ({
        ...placeOf(asked),
        outcome: isThere ? ('sent' as const) : ('not_sent' as const),
        evidence,
        reason,
      })}
      said={({ operatorBankBatchResolve }) =>
        isThere
          ? words.sentDone
          : operatorBankBatchResolve?.awaitsSecondPerson === true
            ? words.notSentAsked
            : words.notSentDone
      }
      onClose={() => {
        setEvidence('');
        onClose();
      }}
      onDone={onDone}
    >
      <AboutFile asked={asked}>{isThere ? words.sentMeans : words.notSentMeans}</AboutFile>
      <Line label={texts.operator.evidence} value={evidence} onChange={setEvidence} />
    </Reasoned>
  );
}

interface AboutFileProps {
  readonly asked: AskedOfBatch | null;
  readonly children: ReactNode;
}

/** What an act means, and the file that a person compares with the one at the bank. */
function AboutFile({ asked, children }: AboutFileProps) {
  return (
    <>
      <p>{children}</p>
      {asked !== null && (
        <Facts
          facts={[
            [
              texts.operatorBanks.batches.name,
              <CopyId
                key="name"
                value={asked.batch.fileName}
                name={texts.operatorBanks.batches.name}
              />,
            ],
            [words.sha256, <CopyId key="sha256" value={asked.batch.sha256} name={words.sha256} />],
          ]}
        />
      )}
    </>
  );
}
