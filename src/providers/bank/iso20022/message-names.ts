/** The messages that are read, by the end of their names: the first and the last version. */
const versions = {
  'pain.002.001': { first: 3, last: 14 },
  'camt.053.001': { first: 2, last: 13 },
  'camt.054.001': { first: 2, last: 13 },
} as const;
export type MessageKind = keyof typeof versions;

/** What a document of ISO 20022 calls itself. */
export interface MessageName {
  /** Such as `camt.053.001.08`, or `pain.002.001.03.ch.02` of the Swiss banks. */
  readonly format: string;
  /** The kind whose reader takes it; null for a message or version that is not read. */
  readonly kind: MessageKind | null;
}

/**
 * The namespaces of ISO, and those of the Swiss banks (SIX Interbank Clearing), who narrow a version of ISO and write
 * nothing else.
 */
const namespaces = [
  /^urn:iso:std:iso:20022:tech:xsd:(?<format>(?<kind>[a-z]{4}\.\d{3}\.\d{3})\.(?<version>\d{2}))$/,
  /^https?:\/\/www\.six-interbank-clearing\.com\/de\/(?<format>(?<kind>[a-z]{4}\.\d{3}\.\d{3})\.(?<version>\d{2})\.ch\.\d{2})\.xsd$/,
];

function kindOf(kind: string, version: number): MessageKind | null {
  const known = Object.entries(versions).find(([name]) => name === kind);
  if (known === undefined) return null;
  const [name, { first, last }] = known;
  return version >= first && version <= last ? (name as MessageKind) : null;
}

/** The message of a namespace, or null for what is no message of ISO 20022. */
export function messageOfNamespace(namespace: string): MessageName | null {
  for (const form of namespaces) {
    const { format, kind, version } = form.exec(namespace)?.groups ?? {};
    if (format === undefined || kind === undefined) continue;
    return { format, kind: kindOf(kind, Number(version)) };
  }
  return null;
}
