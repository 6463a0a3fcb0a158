import { texts } from '../texts/texts.ts';

/** Stands where something will be, in about its size. */
export function Loading({ lines = 5 }: { readonly lines?: number }) {
  return (
    <div className="loading" role="status">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
      <p className="hidden">{texts.loading}</p>
    </div>
  );
}
