import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../app/session.ts';
import { useAct } from '../../app/use-act.ts';
import { Amount } from '../../parts/amount.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { announce } from '../../parts/live.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { texts } from '../../texts/texts.ts';
import {
  payoutBatchCancelDocument,
  payoutBatchCheckDocument,
  payoutBatchSubmitDocument,
} from '../../../../generated/console-types/pages/batches/batches.ts';
import type { ShownBatch } from './shown-batch.ts';

const words = texts.batches;

interface ActionsProps {
  readonly batch: ShownBatch;
  onActed(): void;
}

/** What the state of a batch and the reader's role permit; nothing where that is nothing. */
export function BatchActions({ batch, onActed }: ActionsProps) {
  const mayMake = useMay('payouts:write');
  const mayDecide = useMay('payouts:decide');
  const [asked, setAsked] = useState<'submit' | 'cancel' | null>(null);
  const check = useAct(payoutBatchCheckDocument);
  const submit = useAct(payoutBatchSubmitDocument);
  const cancel = useAct(payoutBatchCancelDocument);
  const { id, state, revision, isChecked, summary } = batch;
  const isDraft = state === 'draft';
  const waits = summary.states.some((one) => one.state === 'pending_approval');
  const done = (said: string) => {
    announce(said);
    setAsked(null);
    onActed();
  };
  return (
    <>
      <FaultNote fault={check.fault} />
      <div className="row">
        {mayMake && isDraft && (
          <Button
            kind={isChecked ? 'usual' : 'primary'}
            busy={check.busy}
            onClick={() => void check.act({ id }).then((data) => data && done(words.wasChecked))}
          >
            {check.busy ? words.checking : words.check}
          </Button>
        )}
        {mayMake && isDraft && isChecked && (
          <Button kind="primary" onClick={() => setAsked('submit')}>
            {words.submit}
          </Button>
        )}
        {mayDecide && waits && (
          <Link className="button" data-kind="primary" to="/approvals">
            {texts.navigation.approvals}
          </Link>
        )}
        {mayMake && (isDraft || state === 'submitted') && (
          <Button kind="danger" onClick={() => setAsked('cancel')}>
            {words.cancel}
          </Button>
        )}
      </div>
      <Dialog title={words.ask.submit} open={asked === 'submit'} onClose={() => setAsked(null)}>
        {summary.totals.map(({ currency, amountMinor, rows }) => (
          <p key={currency}>
            {words.pays({ count: rows })} <Amount minor={amountMinor} currency={currency} />
          </p>
        ))}
        <p>{words.ask.submitText}</p>
        <FaultNote fault={submit.fault} />
        <div className="dialog-actions">
          <Button onClick={() => setAsked(null)}>{texts.action.cancel}</Button>
          <Button
            kind="primary"
            busy={submit.busy}
            onClick={() =>
              void submit.act({ id, revision }).then((data) => data && done(words.wasSubmitted))
            }
          >
            {words.submit}
          </Button>
        </div>
      </Dialog>
      <Dialog title={words.ask.cancel} open={asked === 'cancel'} onClose={() => setAsked(null)}>
        <p>{isDraft ? words.ask.cancelDraft : words.ask.cancelText}</p>
        <FaultNote fault={cancel.fault} />
        <div className="dialog-actions">
          <Button onClick={() => setAsked(null)}>{words.ask.keep}</Button>
          <Button
            kind="danger"
            busy={cancel.busy}
            onClick={() => void cancel.act({ id }).then((data) => data && done(words.wasCanceled))}
          >
            {words.cancel}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
