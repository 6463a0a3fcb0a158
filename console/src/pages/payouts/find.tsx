import { useState, type SubmitEvent } from 'react';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { texts } from '../../texts/texts.ts';
import { exampleAmount } from '../../values/money.ts';

const words = texts.payouts.find;

interface FindProps {
  /** What the address looks for. */
  readonly text: string;
  onFind(text: string): void;
}

/** Where a person types what they have of a payout. */
export function Find({ text, onFind }: FindProps) {
  return <FindForm key={text} text={text} onFind={onFind} />;
}

function FindForm({ text, onFind }: FindProps) {
  const [typed, setTyped] = useState(text);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onFind(typed.trim());
  };
  return (
    <form className="filters" role="search" onSubmit={submit}>
      <div className="grow">
        <Field label={words.label} hint={words.hint({ example: `${exampleAmount('EUR')} EUR` })}>
          {(field) => (
            <input
              {...field}
              className="input"
              type="search"
              maxLength={255}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
      </div>
      <div className="row find-actions">
        <Button type="submit">{words.action}</Button>
        {text !== '' && (
          <Button kind="plain" onClick={() => onFind('')}>
            {words.clear}
          </Button>
        )}
      </div>
    </form>
  );
}
