import { useState } from 'react';
import { useMay } from '../../app/session.ts';
import { useAct } from '../../app/use-act.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { announce } from '../../parts/live.tsx';
import { StateMark } from '../../parts/state.tsx';
import { texts } from '../../texts/texts.ts';
import { businessSettingsUpdateDocument } from '../../../../generated/console-types/pages/settings/settings.ts';

const words = texts.settings;

interface ApprovalsProps {
  readonly isDistinct: boolean;
  onDone(): void;
}

/** Whether two people are needed for a payout. */
export function Approvals({ isDistinct, onDone }: ApprovalsProps) {
  const { act, busy, fault, forget } = useAct(businessSettingsUpdateDocument);
  const mayChange = useMay('access:write');
  const [asked, setAsked] = useState(false);
  const action = isDistinct ? words.allowOne : words.askTwo;
  const close = () => {
    forget();
    setAsked(false);
  };
  const change = async () => {
    if ((await act({ distinctApprover: !isDistinct })) === null) return;
    announce(words.saved);
    close();
    onDone();
  };
  return (
    <Card
      title={words.approvals}
      aside={
        <StateMark tone={isDistinct ? 'good' : 'calm'}>
          {isDistinct ? words.fourEyesOn : words.fourEyesOff}
        </StateMark>
      }
    >
      <div className="stack">
        <p>{words.fourEyes}</p>
        {mayChange ? (
          <div>
            <Button onClick={() => setAsked(true)}>{action}</Button>
          </div>
        ) : (
          <p className="muted">{words.managersOnly}</p>
        )}
      </div>
      <FormDialog
        title={action}
        action={action}
        danger={isDistinct}
        open={asked}
        busy={busy}
        fault={fault}
        onClose={close}
        onSubmit={change}
      >
        <ul>
          {Object.values(isDistinct ? texts.people.oneMeans : texts.people.twoMean).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </FormDialog>
    </Card>
  );
}
