import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { pageOf } from '../../app/place.ts';
import { useAct } from '../../app/use-act.ts';
import { Empty } from '../../parts/blank.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { announce } from '../../parts/live.tsx';
import { Page } from '../../parts/page.tsx';
import { StateMark, type Tone } from '../../parts/state.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { Time } from '../../parts/time.tsx';
import { grouped, texts } from '../../texts/texts.ts';
import { startOfDay } from '../../values/time.ts';
import type { ExportsQuery } from '../../../../generated/console-types/graphql.ts';
import {
  exportCreateDocument,
  exportsDocument,
} from '../../../../generated/console-types/pages/exports/exports.ts';

const words = texts.exports;
type Export = ExportsQuery['exports']['edges'][number]['node'];

const tones: Readonly<Record<Export['status'], Tone>> = {
  pending: 'wait',
  running: 'go',
  completed: 'good',
  failed: 'bad',
  expired: 'calm',
};

/** Files of what the business has: made here, and loaded while they are kept. */
export function ExportsPage() {
  const place = useSearch({ from: '/shell/exports' });
  const navigate = useNavigate({ from: '/exports' });
  const [making, setMaking] = useState(false);
  // A file is written within seconds, and somebody waits for it.
  const fresh = useFresh(exportsDocument, pageOf(place), { everyMs: 5_000 });
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <Button kind="primary" onClick={() => setMaking(true)}>
          {words.make}
        </Button>
      }
    >
      <Card flush>
        <Listing
          caption={words.title}
          fresh={fresh}
          page={fresh.data?.exports ?? null}
          place={place}
          onPlace={(to) => void navigate({ search: to })}
          versionOf={({ status }) => status}
          empty={<Empty title={words.empty}>{words.emptyHint}</Empty>}
          columns={[
            {
              name: 'kind',
              title: words.kind,
              cell: ({ kind, scheduleId }) => (
                <>
                  {words.kinds[kind]}
                  {scheduleId && <span className="muted">{words.scheduled}</span>}
                </>
              ),
            },
            {
              name: 'state',
              title: words.state,
              cell: ({ status, failureMessage }) => (
                <>
                  <StateMark tone={tones[status]}>{words.states[status]}</StateMark>
                  {failureMessage && <div className="small">{failureMessage}</div>}
                </>
              ),
            },
            {
              name: 'rows',
              title: words.rows,
              align: 'end',
              cell: ({ rowCount }) => grouped(rowCount),
            },
            { name: 'made', title: words.made, cell: ({ createdAt }) => <Time at={createdAt} /> },
            {
              name: 'until',
              title: words.until,
              cell: ({ expiresAt, status }) =>
                status === 'completed' && expiresAt ? <Time at={expiresAt} /> : '–',
            },
            {
              name: 'file',
              title: words.file,
              cell: ({ id, status, filename }) =>
                status === 'completed' && (
                  <a className="button" href={`/v1/exports/${id}`} download={filename}>
                    {words.download}
                    <span className="hidden"> {filename}</span>
                  </a>
                ),
            },
          ]}
        />
      </Card>
      <MakeDialog
        open={making}
        onClose={() => setMaking(false)}
        onDone={() => {
          setMaking(false);
          fresh.refresh();
        }}
      />
    </Page>
  );
}

interface MakeProps {
  readonly open: boolean;
  onClose(): void;
  onDone(): void;
}

function MakeDialog({ open, onClose, onDone }: MakeProps) {
  const { act, busy, fault } = useAct(exportCreateDocument);
  const [kind, setKind] = useState<Export['kind']>('transactions');
  return (
    <FormDialog
      title={words.make}
      action={words.make}
      open={open}
      busy={busy}
      fault={fault}
      onClose={onClose}
      onSubmit={async (given) => {
        const since = given('since');
        const before = given('before');
        const filter = {
          ...(since === '' ? {} : { createdSince: startOfDay(since) }),
          ...(before === '' ? {} : { createdBefore: startOfDay(before) }),
        };
        const input = kind === 'transactions' ? { kind, filter } : { kind };
        if ((await act({ input })) === null) return;
        announce(words.wasMade);
        onDone();
      }}
    >
      <Choice
        label={words.kind}
        options={words.kinds}
        value={kind}
        hint={words.kindMeans[kind]}
        onChange={(chosen) => setKind(chosen ?? 'transactions')}
      />
      {kind === 'transactions' && (
        <div className="columns">
          <TextField label={words.since} name="since" type="date" />
          <TextField label={words.before} name="before" type="date" />
        </div>
      )}
    </FormDialog>
  );
}
