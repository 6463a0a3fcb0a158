import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Field } from '../../parts/field.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { texts } from '../../texts/texts.ts';
import type { Fault } from '../../values/fault.ts';
import { offerTemplate } from './download.ts';
import { columnNames } from './read-rows.ts';

const words = texts.import;

interface ChooseFileProps {
  readonly problem: string | null;
  readonly fault: Fault | null;
  onChoose(file: File): Promise<void>;
}

/** Takes the file, and says what it has to hold. */
export function ChooseFile({ problem, fault, onChoose }: ChooseFileProps) {
  return (
    <div className="columns">
      <Card>
        <div className="stack">
          <Field label={words.file} fault={problem}>
            {(field) => (
              <input
                {...field}
                className="input"
                type="file"
                accept=".csv,text/csv"
                onChange={(event) => {
                  const { files } = event.target;
                  const file = files?.[0];
                  if (file !== undefined) void onChoose(file);
                }}
              />
            )}
          </Field>
          <FaultNote fault={fault} />
          <p className="muted">{words.again}</p>
        </div>
      </Card>
      <Card title={words.columnsTitle}>
        <div className="stack">
          <p className="muted">{words.columnsLead}</p>
          <Facts facts={columnNames.map((name) => [name, words.columns[name]] as const)} />
          <div className="row">
            <Button onClick={offerTemplate}>{words.template}</Button>
          </div>
        </div>
      </Card>
    </div>
  );
}
