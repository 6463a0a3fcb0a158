import { useState } from 'react';
import { useAct } from '../../app/use-act.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Since } from '../../parts/time.tsx';
import { textFor, texts } from '../../texts/texts.ts';
import type { SeenPayout } from './payout-seen.ts';
import { operatorJobScheduleDocument } from '../../../../generated/console-types/pages/operator/payout.ts';
import { Reasoned } from './reasoned.tsx';
import { LookUpDialog, ResolveDialog } from './resolve.tsx';

const words = texts.operatorPayout.standstill;

interface StandstillProps {
  readonly payout: SeenPayout;
  onActed(): void;
}

/** Why the payout makes no progress, what comes next, and the ways to do it. */
export function Standstill({ payout, onActed }: StandstillProps) {
  const { standstill, takenBy } = payout;
  return (
    <Card title={standstill === null ? words.none : words.title}>
      <div className="stack">
        <div className="stack reading" aria-live="polite">
          {standstill === null ? <p>{usualCourse(payout)}</p> : <Why standstill={standstill} />}
          {takenBy !== null && <p className="small">{texts.operator.taken({ who: takenBy })}</p>}
        </div>
        <Acts payout={payout} onActed={onActed} />
      </div>
    </Card>
  );
}

function Why({ standstill }: { readonly standstill: NonNullable<SeenPayout['standstill']> }) {
  const { since, reason, explanation, nextStep, lastError } = standstill;
  const next = textFor(words.nextSteps, reason);
  return (
    <>
      <p>
        <strong>{explanation}</strong>
      </p>
      {lastError !== null && (
        <p className="small">
          {words.lastError} {lastError}
        </p>
      )}
      <p>
        {words.next} {next ?? nextStep}
      </p>
      <p className="muted small">
        {words.since} <Since at={since} />
      </p>
      {next !== undefined && (
        <details className="small">
          <summary>{words.inSql}</summary>
          <p>
            <code>{nextStep}</code>
          </p>
        </details>
      )}
    </>
  );
}

/** What a payout that does not stand still waits for. */
function usualCourse({ state, waitsForFileSince, attempts }: SeenPayout): string {
  if (state === 'approved' && waitsForFileSince !== null) return words.waitsForFile;
  if (state === 'approved' && attempts[0]?.bankPlace) return words.inFile;
  return words.moves[state];
}

type AskedAct = 'lookUp' | 'resolve' | 'schedule';

/** What this operator may do about the payout; a resolution that waits and contradictions have lists of their own. */
function Acts({ payout, onActed }: StandstillProps) {
  const { payoutId, permittedActs: may } = payout;
  const [asked, setAsked] = useState<AskedAct | null>(null);
  const schedule = useAct(operatorJobScheduleDocument);
  const close = () => setAsked(null);
  const names = texts.operator.standstills;
  return (
    <>
      <div className="row" role="group" aria-label={words.actions}>
        {may.includes('look_up') && (
          <Button kind="primary" onClick={() => setAsked('lookUp')}>
            {names.lookUp}
          </Button>
        )}
        {may.includes('resolve') && (
          <Button onClick={() => setAsked('resolve')}>{names.resolve}</Button>
        )}
        {may.includes('schedule') && (
          <Button onClick={() => setAsked('schedule')}>{words.schedule}</Button>
        )}
      </div>
      <LookUpDialog payout={asked === 'lookUp' ? payout : null} onClose={close} onDone={onActed} />
      <ResolveDialog
        payout={asked === 'resolve' ? payout : null}
        onClose={close}
        onDone={onActed}
      />
      <Reasoned
        title={words.schedule}
        action={words.schedule}
        open={asked === 'schedule'}
        command={schedule}
        variables={(reason) => ({ task: 'disburse_payout', subjectId: payoutId, reason })}
        said={() => words.scheduled}
        onClose={close}
        onDone={onActed}
      >
        <p>{words.scheduleMeans}</p>
      </Reasoned>
    </>
  );
}
