import { texts } from '../../texts/texts.ts';

const words = texts.payees.steps;
const steps = ['payee', 'account', 'payout'] as const;

/** Where somebody stands who pays a payee that is not there yet. Each step is kept before the next begins. */
export function Steps({ at }: { readonly at: (typeof steps)[number] }) {
  return (
    <ol className="steps" aria-label={words.label}>
      {steps.map((step) => (
        <li key={step} aria-current={step === at ? 'step' : undefined}>
          {words[step]}
        </li>
      ))}
    </ol>
  );
}
