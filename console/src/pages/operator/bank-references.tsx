import type { ReactNode } from 'react';

interface Props {
  /** Each with its name; one that the bank leaves out is not shown. */
  readonly named: readonly (readonly [name: string, value: string | null | undefined])[];
  /** What goes before them. */
  readonly children?: ReactNode;
}

/** What a bank names, one below the other. */
export function BankReferences({ named, children }: Props) {
  return (
    <div className="reading small">
      {children}
      {named.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <span className="muted">{name}</span> <code>{value}</code>
            </div>
          ),
      )}
    </div>
  );
}
