import { useState } from 'react';
import { Card } from '../../parts/card.tsx';
import { Field } from '../../parts/field.tsx';
import { Note } from '../../parts/note.tsx';
import { texts } from '../../texts/texts.ts';
import { dayAfter, dayBefore, startOfDay } from '../../values/time.ts';

const words = texts.money;

/** Where the file of a period is read, both days included. */
function fileOf(since: string, until: string): string {
  const period = {
    recorded_since: startOfDay(since),
    recorded_before: startOfDay(dayAfter(until)),
  };
  return `/v1/funding/entries/export?${new URLSearchParams(period).toString()}`;
}

/** Every entry of a period as a CSV file: this month's until somebody chooses another one. */
export function Statement() {
  const today = dayBefore(0);
  const [since, setSince] = useState(`${today.slice(0, 8)}01`);
  const [until, setUntil] = useState(today);
  const isPeriod = since !== '' && until !== '' && since <= until;
  const day = (label: string, value: string, set: (day: string) => void) => (
    <Field label={label}>
      {(field) => (
        <input
          {...field}
          className="input"
          type="date"
          value={value}
          onChange={({ target }) => set(target.value)}
        />
      )}
    </Field>
  );
  return (
    <Card title={words.statement}>
      <div className="stack form-page">
        <p className="muted">{words.statementHint}</p>
        <div className="columns">
          {day(words.since, since, setSince)}
          {day(words.before, until, setUntil)}
        </div>
        {isPeriod ? (
          <div className="row">
            <a className="button" data-kind="primary" href={fileOf(since, until)} download>
              {words.load}
            </a>
          </div>
        ) : (
          <div role="alert">
            <Note tone="bad">{words.wrongDays}</Note>
          </div>
        )}
      </div>
    </Card>
  );
}
