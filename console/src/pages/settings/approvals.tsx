import { useMay } from '../../app/session.ts';
import { useAct } from '../../app/use-act.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { announce } from '../../parts/live.tsx';
import { FaultNote } from '../../parts/note.tsx';
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
  const { act, busy, fault } = useAct(businessSettingsUpdateDocument);
  const mayChange = useMay('access:write');
  const change = async () => {
    if ((await act({ distinctApprover: !isDistinct })) === null) return;
    announce(words.saved);
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
        <FaultNote fault={fault} />
        {mayChange ? (
          <div>
            <Button busy={busy} onClick={() => void change()}>
              {isDistinct ? words.allowOne : words.askTwo}
            </Button>
          </div>
        ) : (
          <p className="muted">{words.managersOnly}</p>
        )}
      </div>
    </Card>
  );
}
