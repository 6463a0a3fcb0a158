import { useState } from 'react';
import { texts } from '../texts/en.ts';
import { announce } from './live.tsx';

/** An id or another text to take elsewhere, with a button that copies it. */
export function CopyId({ value, name }: { readonly value: string; readonly name: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
    announce(texts.copy.done(name));
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <span className="copy">
      <code>{value}</code>
      <button type="button" aria-label={texts.copy.label(name)} onClick={() => void copy()}>
        {copied ? texts.copy.copied : texts.copy.copy}
      </button>
    </span>
  );
}
