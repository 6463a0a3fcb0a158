/** A business's own pairs, one a line. */
export function Metadata({ metadata }: { readonly metadata: unknown }) {
  if (typeof metadata !== 'object' || metadata === null) return null;
  return Object.entries(metadata).map(([name, value]) => (
    <div key={name}>{`${name}: ${String(value)}`}</div>
  ));
}
