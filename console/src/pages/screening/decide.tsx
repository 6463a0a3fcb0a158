import { useState } from 'react';
import { screeningHitDecideDocument } from '../../../../generated/console-types/pages/screening/screening.ts';
import { businessOf, useMay, useSession } from '../../app/session.ts';
import { useAct } from '../../app/use-act.ts';
import { Choice } from '../../parts/choice.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { announce } from '../../parts/live.tsx';
import { StateMark, type Tone } from '../../parts/state.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { texts } from '../../texts/texts.ts';
import { authorName } from '../../values/author.ts';
import type { Hit } from './hit.ts';

const words = texts.screening;

interface DecideProps {
  readonly hit: Hit;
  onClose(): void;
  onDone(): void;
}

type Finding = keyof typeof words.findings;

/** The two beside each other, and what a person may find. A confirmed hit is cleared by an owner alone. */
export function DecideDialog({ hit, onClose, onDone }: DecideProps) {
  const { act, busy, fault } = useAct(screeningHitDecideDocument);
  const [finding, setFinding] = useState<Finding>('cleared');
  const mayDecide = useMay('screening:decide');
  const isOwner = businessOf(useSession().viewer)?.role === 'owner';
  const reverses = hit.status === 'confirmed';
  if (!mayDecide || !(hit.status === 'open' || (reverses && isOwner))) {
    return (
      <Dialog title={words.compare} open onClose={onClose}>
        <Comparison hit={hit} />
      </Dialog>
    );
  }
  const { cleared } = words.findings;
  return (
    <FormDialog
      title={words.compare}
      action={words.decide}
      danger={finding === 'confirmed'}
      open
      busy={busy}
      fault={fault}
      onClose={onClose}
      onSubmit={async (given) => {
        const evidence = given('evidence');
        const decision = { id: hit.id, verdict: finding, reason: given('reason') };
        if ((await act({ ...decision, evidence: evidence === '' ? null : evidence })) === null) {
          return;
        }
        announce(words.done);
        onDone();
      }}
    >
      <Comparison hit={hit} />
      <Choice
        label={words.finding}
        options={reverses ? ({ cleared } as typeof words.findings) : words.findings}
        value={finding}
        hint={words.findingMeans[finding]}
        onChange={(chosen) => setFinding(chosen ?? 'cleared')}
      />
      <TextField label={words.why} name="reason" required maxLength={1_000} />
      <TextField
        label={words.evidence}
        hint={words.evidenceHint}
        name="evidence"
        maxLength={1_000}
      />
    </FormDialog>
  );
}

const verdictTones: Readonly<Record<keyof typeof words.verdicts, Tone>> = {
  agrees: 'bad',
  differs: 'good',
  unknown: 'calm',
};

/** A payee and an entry, with what agrees, what differs, and what was decided before. */
function Comparison({ hit }: { readonly hit: Hit }) {
  const { beneficiary: payee, reasons, decisions } = hit;
  const list = (values: readonly string[] | null | undefined) => values?.join(', ') ?? null;
  return (
    <>
      <div className="columns">
        <section aria-label={words.payee}>
          <h3>{words.payee}</h3>
          <Facts
            facts={[
              [words.names, hit.subjectName ?? payee?.name],
              [words.births, payee?.dateOfBirth],
              [words.countries, payee?.countryOfResidence ?? payee?.countryOfIncorporation],
            ]}
          />
        </section>
        <section aria-label={words.entry}>
          <h3>{words.entry}</h3>
          <Facts
            facts={[
              [words.names, list(hit.listedNames)],
              [words.births, list(hit.listedBirths)],
              [words.countries, list(hit.listedCountries)],
              [words.listedBecause, list(hit.programmes)],
              [words.publisher, `${words.listNames[hit.list]}, ${hit.ref}`],
            ]}
          />
        </section>
      </div>
      <h3>{words.reasons}</h3>
      <ul className="plain">
        {(reasons ?? []).map((reason) => (
          <li key={reason.text}>
            <StateMark tone={verdictTones[reason.verdict]}>
              {words.verdicts[reason.verdict]}
            </StateMark>{' '}
            {reason.text}
          </li>
        ))}
      </ul>
      {decisions.length > 0 && (
        <>
          <h3>{words.history}</h3>
          <ul className="plain">
            {decisions.map(({ seq, author, toStatus, reason, evidence }) => (
              <li key={seq}>
                {words.decided({
                  who: author ? authorName(author) : '–',
                  what: words.statuses[toStatus],
                })}
                {reason && <div>{reason}</div>}
                {evidence && <div className="small muted">{evidence}</div>}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
