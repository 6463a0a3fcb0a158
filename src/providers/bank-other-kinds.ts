/** Kinds of files that banks send beside those that are read, by the beginning of their format. */
export const otherFileKinds = ['camt_052', 'mt940', 'bai2', 'pdf', 'zip'] as const;
export type OtherFileKind = (typeof otherFileKinds)[number];

/** The kind of a file that is not read, such as `camt_052` of `camt.052.001.08`; null for any other. */
export function otherKindOf(format: string | null): OtherFileKind | null {
  const name = format?.replace('.', '_') ?? '';
  return otherFileKinds.find((kind) => name === kind || name.startsWith(`${kind}.`)) ?? null;
}
