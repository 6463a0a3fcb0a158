import { failureWords } from '../values/failure-words.ts';

/** Why a payout failed: in words, with the code beside them for whoever compares it with the API or a bank. */
export function FailureCode({ code }: { readonly code: string }) {
  const words = failureWords(code);
  if (words === code) return <code>{code}</code>;
  return (
    <>
      {words} <code className="muted small">{code}</code>
    </>
  );
}
