import { BankFileProblem, quoted } from '../problem.ts';
import type { BankReport } from '../report.ts';
import type { MessageReader } from './read-head.ts';
import { readNotification, readStatement } from './read-statement.ts';
import { readStatusReport } from './read-status-report.ts';
import { readXml, type XmlLimits } from './read-xml.ts';

/** The messages that are read, by the end of their namespace. */
const messageReaders: ReadonlyMap<string, MessageReader> = new Map([
  ['pain.002.001.03', readStatusReport],
  ['pain.002.001.10', readStatusReport],
  ['camt.053.001.02', readStatement],
  ['camt.053.001.08', readStatement],
  ['camt.054.001.02', readNotification],
  ['camt.054.001.08', readNotification],
]);

const namespacePrefix = 'urn:iso:std:iso:20022:tech:xsd:';

/**
 * Reads a message of ISO 20022 as a stream. See `readXml` for what holds of reports that come before a problem.
 *
 * @throws BankFileProblem `unknown_message` for any other message, and the others of `readXml` and the readers
 * @see https://www.iso20022.org/iso-20022-message-definitions
 */
export function readMessage(
  chunks: AsyncIterable<Uint8Array>,
  limits?: XmlLimits,
): AsyncGenerator<BankReport> {
  return readXml<BankReport>(
    chunks,
    ({ name, namespace, place }, emit) => {
      const format = namespace.startsWith(namespacePrefix)
        ? namespace.slice(namespacePrefix.length)
        : '';
      const reader = messageReaders.get(format);
      if (reader === undefined || name !== 'Document') {
        throw new BankFileProblem(
          'unknown_message',
          place,
          `${quoted(name)} in the namespace ${quoted(namespace)} is not read.`,
        );
      }
      return reader(format, emit);
    },
    limits,
  );
}
