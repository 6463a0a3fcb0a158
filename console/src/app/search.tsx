import { useEffect, useState } from 'react';
import type { Client } from 'urql';
import { searchEverythingDocument } from '../../../generated/console-types/app/search.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { Loading } from '../parts/loading.tsx';
import { FaultNote } from '../parts/note.tsx';
import { texts } from '../texts/texts.ts';
import { useAsked } from './asked.ts';
import { SearchHits } from './search-hits.tsx';
import { useSession } from './session.ts';
import './search.css';

const words = texts.search;

const ask = (client: Client, text: string) => client.query(searchEverythingDocument, { text });

/** Whether somebody types into a field, where a key means what it writes. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');

interface SearchProps {
  readonly open: boolean;
  onOpen(): void;
  onClose(): void;
}

/** The way to the search for who does not know its keys. */
export function SearchButton({ onOpen }: Pick<SearchProps, 'onOpen'>) {
  const { viewer } = useSession();
  if (viewer.isOperator) return null;
  return (
    <Button onClick={onOpen} aria-keyshortcuts="/ Control+K">
      <Icon name="search" />
      <span className="search-word">{words.title}</span>
      <kbd aria-hidden>{words.key}</kbd>
    </Button>
  );
}

/** Looks for everything of the business from one field: by its button, by `/` and by Ctrl-K. */
export function Search({ open, onOpen, onClose }: SearchProps) {
  const { isOperator } = useSession().viewer;
  useEffect(() => {
    if (isOperator) return undefined;
    const listen = (event: globalThis.KeyboardEvent) => {
      const isK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      const isSlash = event.key === '/' && !isTyping(event.target);
      // A dialog that is open keeps its keys.
      if ((!isK && !isSlash) || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      onOpen();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [isOperator, onOpen]);
  return (
    <Dialog title={words.title} wide open={open} onClose={onClose}>
      <SearchForm onDone={onClose} />
    </Dialog>
  );
}

/** Moves the focus among the field and what was found, as in a list. */
function moveFocus(event: globalThis.KeyboardEvent, search: HTMLElement): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const stops = [...search.querySelectorAll<HTMLElement>('input, a')];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  stops[Math.min(Math.max(at + step, 0), stops.length - 1)]?.focus();
  event.preventDefault();
}

/** Listens to the keys of whatever has the focus in it. */
function listens(search: HTMLDivElement | null) {
  if (search === null) return undefined;
  const listen = (event: globalThis.KeyboardEvent) => moveFocus(event, search);
  search.addEventListener('keydown', listen);
  return () => search.removeEventListener('keydown', listen);
}

function SearchForm({ onDone }: { onDone(): void }) {
  const [typed, setTyped] = useState('');
  const text = typed.trim();
  const asked = useAsked(text === '' ? null : text, ask);
  return (
    <div className="search stack" role="search" ref={listens}>
      <Field label={words.label} hint={words.hint}>
        {(field) => (
          <input
            {...field}
            className="input"
            type="search"
            autoComplete="off"
            maxLength={255}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
      {asked.kind === 'asking' && <Loading lines={3} />}
      {asked.kind === 'failed' && <FaultNote fault={asked.fault} />}
      {asked.kind === 'answered' && <SearchHits text={text} found={asked.data} onDone={onDone} />}
    </div>
  );
}
