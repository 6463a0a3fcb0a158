import { useState } from 'react';
import type { SettingsQuery } from '../../../../generated/console-types/graphql.ts';
import { nameCheckSettingsChangeDocument } from '../../../../generated/console-types/pages/settings/settings.ts';
import { useMay } from '../../app/session.ts';
import { useAct } from '../../app/use-act.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { announce } from '../../parts/live.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.names;

type Settings = SettingsQuery['nameCheckSettings'];

interface NamesProps {
  readonly settings: Settings;
  onDone(): void;
}

/** Whether banks are asked for the holders of accounts, and what each answer does. */
export function Names({ settings, onDone }: NamesProps) {
  const { act, busy, fault } = useAct(nameCheckSettingsChangeDocument);
  const [given, setGiven] = useState(settings);
  const mayChange = useMay('access:write');
  const change = (part: Partial<Settings>) => setGiven({ ...given, ...part });
  const save = async () => {
    const { asks, closeMatch, noMatch, notPossible } = given;
    const { revision } = settings;
    if ((await act({ revision, asks, closeMatch, noMatch, notPossible })) === null) return;
    announce(words.done);
    onDone();
  };
  const effects = ['closeMatch', 'noMatch', 'notPossible'] as const;
  return (
    <Card title={words.title}>
      <div className="stack">
        <p>{words.lead}</p>
        {mayChange ? (
          <>
            <Choice
              label={words.asks}
              options={words.asking}
              value={given.asks ? 'on' : 'off'}
              onChange={(chosen) => change({ asks: chosen === 'on' })}
            />
            {given.asks &&
              effects.map((result) => (
                <Choice
                  key={result}
                  label={words.of[result]}
                  options={words.effects}
                  value={given[result]}
                  onChange={(chosen) => chosen && change({ [result]: chosen })}
                />
              ))}
            <FaultNote fault={fault} />
            <div>
              <Button busy={busy} onClick={() => void save()}>
                {texts.action.save}
              </Button>
            </div>
          </>
        ) : (
          <p className="muted">{given.asks ? words.asking.on : words.asking.off}</p>
        )}
      </div>
    </Card>
  );
}
