import { useState } from 'react';
import { useMutation } from 'urql';
import type { ApproveManyMutationVariables } from '../../../../generated/console-types/graphql.ts';
import { Amount } from '../../parts/amount.tsx';
import { FaultNote, Note } from '../../parts/note.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { texts } from '../../texts/en.ts';
import { faultOf, faultOfCode, type Fault } from '../../values/fault.ts';
import { approveManyDocument, rejectManyDocument } from './approvals.graphql.ts';
import type { Decided } from './outcome.tsx';
import { nameOf, sumsOf, type Decision, type Waiting } from './rows.ts';

const words = texts.approvals;

interface DecisionDialogProps {
  /** Null while nothing is asked. */
  readonly decision: Decision | null;
  readonly rows: readonly Waiting[];
  readonly changed: ReadonlySet<string>;
  onClose(): void;
  onDone(decided: Decided): void;
}

/** Asks before payouts are approved or rejected: which ones, how much together, and why. */
export function DecisionDialog({ decision, rows, changed, onClose, onDone }: DecisionDialogProps) {
  const [fault, setFault] = useState<Fault | null>(null);
  const [approving, approve] = useMutation(approveManyDocument);
  const [rejecting, reject] = useMutation(rejectManyDocument);
  const approves = decision !== 'reject';
  const fit = approves ? rows.filter(({ approval }) => approval.permitted) : rows;
  const leftOut = rows.filter((row) => !fit.includes(row));

  const send = async (variables: ApproveManyMutationVariables) => {
    if (approves) {
      const { data, error } = await approve(variables);
      return { results: data?.payoutBulkApprove, error };
    }
    const { data, error } = await reject(variables);
    return { results: data?.payoutBulkReject, error };
  };
  const decide = async (reason: string | null) => {
    if (decision === null || fit.length === 0) return;
    setFault(null);
    const ids = fit.map(({ id }) => id);
    const variables = { ids, reasons: reason === null ? [] : [{ message: reason }] };
    const { results, error: failure } = await send(variables);
    if (failure !== undefined || results == null) {
      setFault(failure === undefined ? faultOfCode(undefined, '') : faultOf(failure));
      return;
    }
    const rowOf = new Map(fit.map((row) => [row.id, row]));
    const refused = results.flatMap(({ payoutId, error }) => {
      const row = rowOf.get(payoutId);
      if (error == null || row === undefined) return [];
      const { title, text } = faultOfCode(error.code, error.message);
      return [{ id: payoutId, name: nameOf(row), why: `${title} ${text}` }];
    });
    const failed = new Set(refused.map(({ id }) => id));
    onDone({ decision, done: ids.filter((id) => !failed.has(id)), refused });
  };
  const close = () => {
    setFault(null);
    onClose();
  };
  return (
    <ReasonDialog
      open={decision !== null}
      title={approves ? words.ask.approve(fit.length) : words.ask.reject(fit.length)}
      action={approves ? words.ask.doApprove(fit.length) : words.ask.doReject(fit.length)}
      danger={!approves}
      required={!approves}
      busy={approving.fetching || rejecting.fetching}
      fault={<FaultNote fault={fault} />}
      onClose={close}
      onConfirm={(reason) => void decide(reason)}
    >
      <Summary rows={fit} />
      {approves && <Heed rows={fit} />}
      {rows.some(({ id }) => changed.has(id)) && <Note tone="wait">{words.ask.changed}</Note>}
      {leftOut.length > 0 && <LeftOut rows={leftOut} alone={fit.length === 0} />}
    </ReasonDialog>
  );
}

function Summary({ rows }: { readonly rows: readonly Waiting[] }) {
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
  return (
    <div>
      {rows.length > 1 && <p className="muted">{words.ask.sum}</p>}
      {sumsOf(rows).map(([currency, minor]) => (
        <p key={currency}>
          <Amount minor={minor} currency={currency} />
        </p>
      ))}
    </div>
  );
}

/** What of the payouts to be approved wants a second look: those that may be doubles, and accounts that failed. */
function Heed({ rows }: { readonly rows: readonly Waiting[] }) {
  const doubles = rows.filter(({ similarPayouts }) => similarPayouts.sameAmount > 0);
  const failed = rows.filter(({ failedBefore }) => failedBefore !== null);
  return (
    <>
      {doubles.length > 0 && (
        <Note tone="wait">
          <p>{words.ask.doubles(doubles.length)}</p>
          <Named rows={doubles} />
        </Note>
      )}
      {failed.length > 0 && (
        <Note tone="wait">
          <p>{words.ask.failed(failed.length)}</p>
          <Named rows={failed} />
        </Note>
      )}
    </>
  );
}

function Named({ rows }: { readonly rows: readonly Waiting[] }) {
  return (
    <ul>
      {rows.map((row) => (
        <li key={row.id}>
          {`${nameOf(row)}, `}
          <Amount minor={row.amountMinor} currency={row.currency} />
        </li>
      ))}
    </ul>
  );
}

/** Payouts that the reader cannot approve, each with its reason. */
function LeftOut({ rows, alone }: { readonly rows: readonly Waiting[]; readonly alone: boolean }) {
  return (
    <Note tone="wait">
      <p>{alone ? words.ask.nothing : words.ask.leftOut(rows.length)}</p>
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            {`${nameOf(row)}: `}
            {row.approval.obstacles.map((obstacle) => words.obstacles[obstacle]).join(' ')}
          </li>
        ))}
      </ul>
    </Note>
  );
}
