import { useState } from 'react';
import { operatorProfileDeclineDocument } from '../../../../generated/console-types/pages/operator/businesses.ts';
import { useAct } from '../../app/use-act.ts';
import { texts } from '../../texts/texts.ts';
import type { Business } from './business.ts';
import { Reasoned } from './reasoned.tsx';
import { Line } from './resolve.tsx';

const words = texts.operatorBusiness.profile;

interface DeclineProps {
  /** Null while nothing is asked. */
  readonly business: Business | null;
  onClose(): void;
  onDone(): void;
}

/** Does not accept a profile that waits, and tells the business why. */
export function DeclineProfile({ business, onClose, onDone }: DeclineProps) {
  const command = useAct(operatorProfileDeclineDocument);
  const [explanation, setExplanation] = useState('');
  return (
    <Reasoned
      title={words.declineOf({ name: business?.companyName ?? '' })}
      action={words.decline}
      danger
      open={business !== null}
      command={command}
      variables={(reason) => ({
        businessId: business?.id ?? '',
        submittedAt: business?.profile.profileSubmittedAt ?? null,
        explanation,
        reason,
      })}
      said={() => words.declined}
      onClose={() => {
        setExplanation('');
        onClose();
      }}
      onDone={onDone}
    >
      <p>{words.declineMeans}</p>
      <Line label={words.explanation} value={explanation} onChange={setExplanation} />
    </Reasoned>
  );
}
