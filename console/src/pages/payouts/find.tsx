import { useState, type SubmitEvent } from 'react';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
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
    <form className="find" role="search" onSubmit={submit}>
      <Field label={words.label} hint={words.hint({ example: `${exampleAmount('EUR')} EUR` })}>
        {(field) => (
          <input
            {...field}
            className="input"
            type="search"
            maxLength={255}
            placeholder={words.placeholder}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit">
        <Icon name="search" />
        <span className="hidden">{words.action}</span>
      </Button>
      {text !== '' && (
        <Button kind="plain" onClick={() => onFind('')}>
          {words.clear}
        </Button>
      )}
    </form>
  );
}
