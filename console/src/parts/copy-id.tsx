import { useState } from 'react';
import { texts } from '../texts/texts.ts';
import { Icon } from './icon.tsx';
import { announce } from './live.tsx';

interface CopyIdProps {
  readonly value: string;
  readonly name: string;
  /** Whether the button stands alone, since a name says what it is. */
  readonly bare?: boolean;
}

/** An id or another text to take elsewhere, with a button that copies it. */
export function CopyId({ value, name, bare = false }: CopyIdProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
    announce(texts.copy.done({ name }));
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <span className="copy">
      {!bare && <code>{value}</code>}
      <button
        type="button"
        title={value}
        aria-label={texts.copy.label({ name })}
        onClick={() => void copy()}
      >
        <Icon name={copied ? 'tick' : 'copy'} />
        {bare && ` ${copied ? texts.copy.copied : texts.copy.label({ name })}`}
      </button>
    </span>
  );
}
