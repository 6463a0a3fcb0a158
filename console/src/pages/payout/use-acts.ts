import { useState } from 'react';
import { useMutation, type CombinedError } from 'urql';
import type { SimulatedEvent } from '../../../../generated/console-types/graphql.ts';
import { announce } from '../../parts/live.tsx';
import { texts } from '../../texts/texts.ts';
import { faultOf, type Fault } from '../../values/fault.ts';
import {
  payoutApproveDocument,
  payoutCancelDocument,
  payoutRejectDocument,
  payoutSimulateDocument,
} from '../../../../generated/console-types/pages/payout/payout.ts';

const words = texts.payout.done;

/** What a person can do to a payout, by the name of its text. */
export type Act = 'approve' | 'reject' | 'cancel';

/** The commands of a payout: whether one runs, why the last one was refused, and what it did. */
export function useActs(id: string, onActed: () => void) {
  const [approving, approve] = useMutation(payoutApproveDocument);
  const [rejecting, reject] = useMutation(payoutRejectDocument);
  const [canceling, cancel] = useMutation(payoutCancelDocument);
  const [simulating, simulate] = useMutation(payoutSimulateDocument);
  const [fault, setFault] = useState<Fault | null>(null);
  const [done, setDone] = useState<string | null>(null);

  const finish = ({ error }: { readonly error?: CombinedError | undefined }, said: string) => {
    setFault(error === undefined ? null : faultOf(error));
    setDone(error === undefined ? said : null);
    if (error === undefined) announce(said);
    // Also what is refused tells of another state than the one that is shown.
    onActed();
    return error === undefined;
  };
  const run = async (act: Act, reason: string | null, passkey?: unknown): Promise<boolean> => {
    if (act === 'cancel') return finish(await cancel({ id }), words.cancel);
    const reasons = reason === null ? [] : [{ message: reason }];
    if (act === 'reject') return finish(await reject({ id, reasons }), words.reject);
    return finish(await approve({ id, reasons, passkey }), words.approve);
  };
  const simulated = async (event: SimulatedEvent) =>
    finish(await simulate({ id, event }), words.simulate({ what: texts.payout.simulate[event] }));
  return {
    busy: approving.fetching || rejecting.fetching || canceling.fetching || simulating.fetching,
    fault,
    done,
    run,
    simulated,
    forget: () => setFault(null),
  };
}
