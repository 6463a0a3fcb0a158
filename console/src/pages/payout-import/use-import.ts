import { useState } from 'react';
import { useClient } from 'urql';
import { announce } from '../../parts/live.tsx';
import { faultOf, faultOfCode, type Fault } from '../../values/fault.ts';
import { importRowsDocument } from '../../../../generated/console-types/pages/payout-import/import.ts';
import { ofKind, outcomesOf, sentRows, type RowOutcome } from './outcome.ts';
import { readRows, type FileRow } from './read-rows.ts';
import { checkedWords, doneWords } from './sums-up.ts';

/** How far an import has come. */
export type Import =
  | { readonly step: 'choose'; readonly problem: string | null; readonly fault: Fault | null }
  | { readonly step: 'checking' }
  | {
      readonly step: 'checked' | 'creating' | 'done';
      /** Of the file. */
      readonly name: string;
      readonly outcomes: readonly RowOutcome[];
      readonly fault: Fault | null;
    };

const beginning: Import = { step: 'choose', problem: null, fault: null };

/** A file on its way: read, checked as a whole by a dry run, and only then made. */
export function useImport() {
  const client = useClient();
  const [state, setState] = useState<Import>(beginning);

  const send = async (rows: readonly FileRow[], dryRun: boolean) => {
    const payouts = sentRows(rows).map(({ input }) => input);
    if (payouts.length === 0) return { outcomes: outcomesOf(rows, []) };
    const { data, error } = await client.mutation(importRowsDocument, { payouts, dryRun });
    if (error !== undefined) return { fault: faultOf(error) };
    const results = data?.payoutBulkCreate;
    return results == null
      ? { fault: faultOfCode(undefined, '') }
      : { outcomes: outcomesOf(rows, results) };
  };
  const choose = async (file: File) => {
    const read = await readRows(file);
    if ('problem' in read) {
      setState({ step: 'choose', problem: read.problem, fault: null });
      return;
    }
    setState({ step: 'checking' });
    const answer = await send(read.rows, true);
    if ('fault' in answer && answer.fault !== undefined) {
      setState({ step: 'choose', problem: null, fault: answer.fault });
      return;
    }
    const outcomes = answer.outcomes ?? [];
    const [fits, failed, earlier] = (['fits', 'failed', 'earlier'] as const).map(
      (kind) => ofKind(outcomes, kind).length,
    );
    announce(checkedWords(fits ?? 0, failed ?? 0, earlier ?? 0));
    setState({ step: 'checked', name: file.name.slice(0, 120), outcomes, fault: null });
  };
  const create = async () => {
    if (state.step !== 'checked') return;
    const { outcomes, name } = state;
    setState({ ...state, step: 'creating' });
    const fitting = ofKind(outcomes, 'fits').map(({ row }) => row);
    const answer = await send(fitting, false);
    if ('fault' in answer && answer.fault !== undefined) {
      // Whether it arrived is unknown. Sent again, the keys make each row once.
      setState({ step: 'checked', name, outcomes, fault: answer.fault });
      return;
    }
    const made = new Map((answer.outcomes ?? []).map((outcome) => [outcome.row, outcome]));
    const all = outcomes.map((outcome) => made.get(outcome.row) ?? outcome);
    announce(
      doneWords(
        ofKind(all, 'created').length,
        ofKind(all, 'failed').length,
        ofKind(all, 'earlier').length,
      ),
    );
    setState({ step: 'done', name, outcomes: all, fault: null });
  };
  return { state, choose, create, restart: () => setState(beginning) };
}
