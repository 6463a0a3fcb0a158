import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { forwards } from '../../app/place.ts';
import { useAct } from '../../app/use-act.ts';
import { Empty } from '../../parts/blank.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import type { OperatorBankUnreadableFilesQuery } from '../../../../generated/console-types/graphql.ts';
import {
  bankFileDismissDocument,
  bankFileReadAgainDocument,
  operatorBankUnreadableFilesDocument,
} from '../../../../generated/console-types/pages/operator/bank-desk.ts';
import { SubjectLink, OfConnection } from './place.tsx';
import { Reasoned } from './reasoned.tsx';
import { Line } from './resolve.tsx';

const words = texts.operatorBanks.files;

type UnreadableFile =
  OperatorBankUnreadableFilesQuery['operatorBankUnreadableFiles']['edges'][number]['node'];

/** The files of banks that cannot be read. */
export function UnreadableFiles() {
  const { files, ...others } = useSearch({ from: '/shell/operator/banks/desk' });
  const navigate = useNavigate({ from: '/operator/banks/desk' });
  const place = files === undefined ? {} : { after: files };
  const fresh = useFresh(operatorBankUnreadableFilesDocument, forwards(place));
  const command = useAct(bankFileReadAgainDocument);
  const [asked, setAsked] = useState<UnreadableFile | null>(null);
  const [unneeded, setUnneeded] = useState<UnreadableFile | null>(null);
  return (
    <Card title={words.title} flush>
      <Listing
        caption={words.title}
        fresh={fresh}
        page={fresh.data?.operatorBankUnreadableFiles ?? null}
        place={place}
        onPlace={({ after }) =>
          void navigate({ search: { ...others, ...(after === undefined ? {} : { files: after }) } })
        }
        versionOf={({ explanation, takenBy }) => `${explanation ?? ''} ${takenBy ?? ''}`}
        empty={<Empty title={words.none} />}
        columns={columnsOf(setAsked, setUnneeded)}
      />
      <Reasoned
        title={words.readAgainOf({ name: asked?.name ?? '' })}
        action={words.readAgain}
        open={asked !== null}
        command={command}
        variables={(reason) => ({
          businessId: asked?.businessId ?? '',
          environment: asked?.environment ?? 'sandbox',
          fileId: asked?.id ?? '',
          reason,
        })}
        said={() => words.ordered}
        onClose={() => setAsked(null)}
        onDone={fresh.refresh}
      >
        <p>{words.readAgainMeans}</p>
      </Reasoned>
      <DismissFile file={unneeded} onClose={() => setUnneeded(null)} onDone={fresh.refresh} />
    </Card>
  );
}

interface DismissProps {
  /** Null while nothing is asked. */
  readonly file: UnreadableFile | null;
  onClose(): void;
  onDone(): void;
}

/** Takes a file off the desk that nobody needs. */
function DismissFile({ file, onClose, onDone }: DismissProps) {
  const command = useAct(bankFileDismissDocument);
  const [explanation, setExplanation] = useState('');
  return (
    <Reasoned
      title={words.dismissOf({ name: file?.name ?? '' })}
      action={words.dismiss}
      open={file !== null}
      command={command}
      variables={(reason) => ({
        businessId: file?.businessId ?? '',
        environment: file?.environment ?? 'sandbox',
        fileId: file?.id ?? '',
        explanation,
        reason,
      })}
      said={() => words.dismissed}
      onClose={() => {
        setExplanation('');
        onClose();
      }}
      onDone={onDone}
    >
      <p>{words.dismissMeans}</p>
      <Line label={words.whatItIs} value={explanation} onChange={setExplanation} />
    </Reasoned>
  );
}

function columnsOf(
  onAsk: (file: UnreadableFile) => void,
  onDismiss: (file: UnreadableFile) => void,
): readonly Column<UnreadableFile>[] {
  return [
    {
      name: 'file',
      title: words.file,
      cell: (row) => (
        <div className="reading">
          <strong>{row.name}</strong>
          <OfConnection of={row} />
          <div className="small">
            <SubjectLink about={row.id} />
          </div>
        </div>
      ),
    },
    { name: 'received', title: words.received, cell: ({ receivedAt }) => <Time at={receivedAt} /> },
    {
      name: 'why',
      title: words.why,
      cell: ({ explanation, problemPlace, format, takenBy }) => (
        <div className="reading">
          <p>{explanation}</p>
          {problemPlace && <p className="small">{problemPlace}</p>}
          {format && <p className="muted small">{format}</p>}
          {takenBy && <p className="small">{texts.operator.taken({ who: takenBy })}</p>}
        </div>
      ),
    },
    {
      name: 'actions',
      title: texts.operatorBanks.actions,
      cell: (row) => (
        <>
          <Button aria-label={words.readAgainOf({ name: row.name })} onClick={() => onAsk(row)}>
            {words.readAgain}
          </Button>{' '}
          <Button aria-label={words.dismissOf({ name: row.name })} onClick={() => onDismiss(row)}>
            {words.dismiss}
          </Button>
        </>
      ),
    },
  ];
}
