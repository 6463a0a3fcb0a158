import { texts } from '../texts/texts.ts';
import type { Fault } from '../values/fault.ts';
import { FaultNote } from './note.tsx';

interface SignedTextProps {
  /** Null where nothing is signed, or it is not known yet. */
  readonly text: string | null;
  readonly fault: Fault | null;
}

/** What a passkey is asked to sign, to the letter. */
export function SignedText({ text, fault }: SignedTextProps) {
  return (
    <>
      {text !== null && (
        <div>
          <p className="muted small">{texts.stepUp.text}</p>
          <pre className="payload">{text}</pre>
        </div>
      )}
      <FaultNote fault={fault} />
    </>
  );
}
