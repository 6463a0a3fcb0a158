import { useNavigate } from '@tanstack/react-router';
import type { SubmitEvent } from 'react';
import { Button } from '../../parts/button.tsx';
import { valuesOf } from '../../parts/form-dialog.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.operatorPayout.find;

/** Where an operator pastes an id or a reference. */
export function FindForm({ what }: { readonly what: string }) {
  const navigate = useNavigate();
  const search = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const sought = valuesOf(event.currentTarget)('what').trim();
    void navigate({ to: '/operator/find', search: sought === '' ? {} : { what: sought } });
  };
  return (
    <form className="filters" role="search" onSubmit={search}>
      <div className="grow">
        <TextField
          key={what}
          label={words.label}
          hint={words.hint}
          name="what"
          type="search"
          maxLength={255}
          defaultValue={what}
        />
      </div>
      <div className="row find-actions">
        <Button type="submit">{words.action}</Button>
      </div>
    </form>
  );
}
