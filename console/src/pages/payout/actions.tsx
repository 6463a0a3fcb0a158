import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { SimulatedEvent } from '../../../../generated/console-types/graphql.ts';
import { useMay, useSession } from '../../app/session.ts';
import { takesPasskey, useStepUp } from '../../app/step-up.ts';
import { Amount } from '../../parts/amount.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Menu } from '../../parts/menu.tsx';
import { FailedBefore } from '../../parts/failed-before.tsx';
import { FaultNote, Note } from '../../parts/note.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { SignedText } from '../../parts/signed-text.tsx';
import { texts } from '../../texts/texts.ts';
import type { ShownPayout } from './shown.ts';
import { useActs, type Act } from './use-acts.ts';

const words = texts.payout;

interface ActionsProps {
  readonly payout: ShownPayout;
  onActed(): void;
}

/** What the payout's state and the reader's role permit, always in sight at the lower edge; nothing where that is nothing. */
export function Actions({ payout, onActed }: ActionsProps) {
  const { viewer } = useSession();
  const mayDecide = useMay('payouts:decide');
  const mayMake = useMay('payouts:write');
  const [asked, setAsked] = useState<Act | null>(null);
  const acts = useActs(payout.id, onActed);
  const stepUp = useStepUp(asked === 'approve' && takesPasskey(payout) ? [payout.id] : []);
  const { permittedActions: permitted, state, replacedBy } = payout;
  const replaceable = (state === 'failed' || state === 'returned') && replacedBy === null;
  const offers: Readonly<Record<Act, boolean>> = {
    approve: mayDecide && payout.approval.permitted,
    reject: mayDecide && permitted.includes('reject'),
    cancel: mayMake && permitted.includes('cancel'),
  };
  const ask = (act: Act) => {
    acts.forget();
    setAsked(act);
  };
  const confirm = async (act: Act, reason: string | null) => {
    const passkey = act === 'approve' ? await stepUp.sign() : undefined;
    if (passkey === null) return;
    if (await acts.run(act, reason, passkey)) setAsked(null);
    else stepUp.renew();
  };
  const maySimulate =
    mayMake && viewer.environment === 'sandbox' && simulations[state] !== undefined;
  const mayReplace = mayMake && replaceable;
  const isIdle = acts.done === null && acts.fault === null;
  if (isIdle && !Object.values(offers).includes(true) && !mayReplace && !maySimulate) return null;
  return (
    <section className="decision" aria-label={words.actions.label}>
      {acts.done !== null && <Note tone="good">{acts.done}</Note>}
      {asked === null && <FaultNote fault={acts.fault} />}
      <p>
        <span className="decision-name">{payout.beneficiaryName ?? payout.beneficiaryId}</span>
        <Amount minor={payout.amountMinor} currency={payout.currency} />
      </p>
      <div className="row">
        {offers.approve && !isStoppedByName(payout) && (
          <Button kind="primary" onClick={() => ask('approve')}>
            {words.actions.approve}
          </Button>
        )}
        {offers.reject && (
          <Button kind="danger" onClick={() => ask('reject')}>
            {words.actions.reject}
          </Button>
        )}
        {offers.cancel && (
          <Button kind="danger" onClick={() => ask('cancel')}>
            {words.actions.cancel}
          </Button>
        )}
        {mayReplace && (
          <Link
            className="button"
            data-kind="primary"
            to="/payouts/new"
            search={{ replaces: payout.id }}
          >
            {words.actions.replace}
          </Link>
        )}
        {maySimulate && <Simulate state={state} onChoose={(event) => void acts.simulated(event)} />}
      </div>
      <ReasonDialog
        open={asked === 'approve' || asked === 'reject'}
        title={asked === 'reject' ? words.ask.reject : words.ask.approve}
        action={asked === 'reject' ? words.actions.reject : words.actions.approve}
        danger={asked === 'reject'}
        required={asked === 'reject'}
        busy={acts.busy}
        fault={<FaultNote fault={acts.fault} />}
        onClose={() => setAsked(null)}
        onConfirm={(reason) => asked !== null && void confirm(asked, reason)}
      >
        <SignedText text={stepUp.text} fault={stepUp.fault} />
      </ReasonDialog>
      <Dialog title={words.ask.cancel} open={asked === 'cancel'} onClose={() => setAsked(null)}>
        <p>{words.ask.cancelText}</p>
        <FaultNote fault={acts.fault} />
        <div className="dialog-actions">
          <Button onClick={() => setAsked(null)}>{words.ask.keep}</Button>
          <Button kind="danger" busy={acts.busy} onClick={() => void confirm('cancel', null)}>
            {words.actions.cancel}
          </Button>
        </div>
      </Dialog>
    </section>
  );
}

/** Whether what the bank says of the holder's name stops the approval, whoever approves. */
const isStoppedByName = ({ approval }: ShownPayout): boolean =>
  approval.obstacles.some((obstacle) => obstacle.startsWith('name_check'));

/** Why a payout that waits cannot be approved by this reader: four eyes, or what changed; and what failed before it. */
export function WhyNotApprove({ payout }: { readonly payout: ShownPayout }) {
  const { obstacles, fourEyes } = payout.approval;
  const told = obstacles.filter((obstacle) => obstacle !== 'not_waiting');
  const { failedBefore } = payout;
  if (payout.state !== 'pending_approval') return null;
  if (told.length === 0 && failedBefore === null) return null;
  return (
    <Note tone="wait">
      {failedBefore !== null && <FailedBefore payout={failedBefore} />}
      {told.map((obstacle) => (
        <p key={obstacle}>
          {texts.approvals.obstacles[obstacle]}
          {obstacle === 'four_eyes' && fourEyes !== null && ` ${texts.approvals.grounds[fourEyes]}`}
        </p>
      ))}
    </Note>
  );
}

/** What makes sense in which state; the service judges the particulars. */
const simulations: Readonly<Partial<Record<ShownPayout['state'], readonly SimulatedEvent[]>>> = {
  pending_approval: ['hold'],
  compliance_hold: ['release'],
  approved: ['acknowledge', 'estimate', 'disburse', 'fail', 'hold'],
  disbursed: ['estimate', 'settle', 'fail', 'return'],
  settled: ['return'],
};

interface SimulateProps {
  readonly state: ShownPayout['state'];
  onChoose(event: SimulatedEvent): void;
}

function Simulate({ state, onChoose }: SimulateProps) {
  return (
    <Menu label={words.actions.simulate}>
      {simulations[state]?.map((event) => (
        <button key={event} type="button" onClick={() => onChoose(event)}>
          {words.simulate[event]}
        </button>
      ))}
    </Menu>
  );
}
