import { texts } from '../texts/texts.ts';

/** Stands where rows will be, each as high as one of them. */
export function Loading({ lines = 5 }: { readonly lines?: number }) {
  return (
    <div className="loading" role="status">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} aria-hidden>
          <i />
          <i />
          <i />
          <i />
        </span>
      ))}
      <p className="hidden">{texts.loading}</p>
    </div>
  );
}
