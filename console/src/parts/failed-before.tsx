import { Link } from '@tanstack/react-router';
import { texts } from '../texts/texts.ts';
import { failureWords } from '../values/failure-words.ts';

interface FailedBeforeProps {
  /** The payout that the account did not take. */
  readonly payout: {
    readonly id: string;
    readonly failureCode: string | null;
    readonly failureMessage: string | null;
  };
}

/** Says of a replacement that the account has just failed, and why. */
export function FailedBefore({ payout }: FailedBeforeProps) {
  const { id, failureCode, failureMessage } = payout;
  const why = [failureCode && failureWords(failureCode), failureMessage].filter(Boolean).join(': ');
  return (
    <p>
      <strong>{texts.payout.failedBefore}</strong> {why}{' '}
      <Link to="/payouts/$id" params={{ id }}>
        {texts.payout.failedBeforeLink}
      </Link>
    </p>
  );
}
