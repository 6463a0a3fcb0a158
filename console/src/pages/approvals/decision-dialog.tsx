import { useState } from 'react';
import { useMutation } from 'urql';
import { takesPasskey, useStepUp } from '../../app/step-up.ts';
import { Amount } from '../../parts/amount.tsx';
import { FaultNote, Note } from '../../parts/note.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { SignedText } from '../../parts/signed-text.tsx';
import { texts } from '../../texts/texts.ts';
import { faultOf, faultOfCode, type Fault } from '../../values/fault.ts';
import {
  approveSetDocument,
  rejectManyDocument,
} from '../../../../generated/console-types/pages/approvals/approvals.ts';
import type { Decided } from './outcome.tsx';
import { Barred, Heed } from './heed.tsx';
import { fitFor, nameOf, type Decision, type WaitingPayout } from './rows.ts';
import { Sums } from './sums.tsx';
import { useApprovalSet } from './use-approval-set.ts';

const words = texts.approvals;

interface Reason {
  readonly message: string;
}

interface DecisionDialogProps {
  /** Null while nothing is asked. */
  readonly decision: Decision | null;
  readonly rows: readonly WaitingPayout[];
  /** How many of those that it was asked for do not stand in the list any more. */
  readonly gone: number;
  readonly changed: ReadonlySet<string>;
  onClose(): void;
  onDone(decided: Decided): void;
}

/** Asks before payouts are approved or rejected: which ones, how much together, and why. */
export function DecisionDialog(props: DecisionDialogProps) {
  const { decision, rows, gone, changed, onClose, onDone } = props;
  const [fault, setFault] = useState<Fault | null>(null);
  const [approving, approve] = useMutation(approveSetDocument);
  const [rejecting, reject] = useMutation(rejectManyDocument);
  const approves = decision !== 'reject';
  const fit = fitFor(decision ?? 'approve', rows);
  const leftOut = rows.filter((row) => !fit.includes(row));
  const isSigned = decision === 'approve' && fit.some(takesPasskey);
  const stepUp = useStepUp(isSigned ? fit.map(({ id }) => id) : []);
  const set = useApprovalSet(decision === 'approve' ? fit.map(({ id }) => id) : []);

  const sendApproval = async (reasons: readonly Reason[], passkey: unknown) => {
    const seen = await set.read();
    if (seen.set === null) return { results: null, leftOut: [], refused: seen.fault };
    const { set: shown, leftOut } = seen.set;
    if (shown.items.length === 0) return { results: [], leftOut, refused: null };
    const { data, error } = await approve({ set: shown, reasons, passkey });
    return { results: data?.payoutSetApprove, leftOut, refused: error && faultOf(error) };
  };
  const sendRejection = async (ids: readonly string[], reasons: readonly Reason[]) => {
    const { data, error } = await reject({ ids, reasons });
    return { results: data?.payoutBulkReject, leftOut: [], refused: error && faultOf(error) };
  };
  const decide = async (reason: string | null) => {
    if (decision === null || fit.length === 0) return;
    setFault(null);
    const passkey = await stepUp.sign();
    if (passkey === null) return;
    const ids = fit.map(({ id }) => id);
    const reasons = reason === null ? [] : [{ message: reason }];
    const sent = await (approves ? sendApproval(reasons, passkey) : sendRejection(ids, reasons));
    const { results, leftOut: waitNoMore, refused: failure } = sent;
    if (failure != null || results == null) {
      setFault(failure ?? faultOfCode(undefined, ''));
      stepUp.renew();
      set.renew();
      return;
    }
    const rowOf = new Map(fit.map((row) => [row.id, row]));
    const refused = results.flatMap(({ payoutId, error }) => {
      const row = rowOf.get(payoutId);
      if (error == null || row === undefined) return [];
      const { title, text } = faultOfCode(error.code, error.message);
      return [{ row, why: `${title} ${text}` }];
    });
    const gone = faultOfCode('INVALID_STATE_TRANSITION', '');
    const decided = waitNoMore.flatMap((id) => rowOf.get(id) ?? []);
    refused.push(...decided.map((row) => ({ row, why: `${gone.title} ${gone.text}` })));
    const failed = new Set(refused.map(({ row }) => row.id));
    onDone({ decision, done: ids.filter((id) => !failed.has(id)), refused });
  };
  const close = () => {
    setFault(null);
    onClose();
  };
  return (
    <ReasonDialog
      open={decision !== null}
      title={titleOf(approves, fit.length)}
      action={actionOf(approves, fit.length)}
      danger={!approves}
      required={!approves}
      busy={approving.fetching || rejecting.fetching}
      fault={<FaultNote fault={fault} />}
      onClose={close}
      onConfirm={(reason) => void decide(reason)}
    >
      <Summary rows={fit} />
      <SignedText text={stepUp.text} fault={stepUp.fault} />
      {approves && <Heed rows={fit} />}
      {rows.some(({ id }) => changed.has(id)) && <Note tone="wait">{words.ask.changed}</Note>}
      {gone > 0 && <Note tone="wait">{words.ask.gone({ count: gone })}</Note>}
      {leftOut.length > 0 && (
        <Note tone="wait">
          <p>{words.ask.leftOut({ count: leftOut.length })}</p>
          <Barred rows={leftOut} />
        </Note>
      )}
    </ReasonDialog>
  );
}

function titleOf(approves: boolean, count: number): string {
  const { approve, reject, nothingLeft } = words.ask;
  if (count === 0) return nothingLeft;
  return approves ? approve({ count }) : reject({ count });
}

/** What the button says that does it; null where nothing is left to do. */
function actionOf(approves: boolean, count: number): string | null {
  const { doApprove, doReject } = words.ask;
  if (count === 0) return null;
  return approves ? doApprove({ count }) : doReject({ count });
}

function Summary({ rows }: { readonly rows: readonly WaitingPayout[] }) {
  const [only] = rows;
  if (only !== undefined && rows.length === 1) {
    return (
      <p>
        <strong>{nameOf(only)}</strong>
        {', '}
        <Amount minor={only.amountMinor} currency={only.currency} />
        {`, ${only.destination.maskedAccount ?? ''}`}
      </p>
    );
  }
  return <Sums rows={rows} />;
}
