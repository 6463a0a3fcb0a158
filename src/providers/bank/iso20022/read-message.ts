import { BankFileProblem, quoted } from '../problem.ts';
import type { BankReport } from '../report.ts';
import { messageOfNamespace, type MessageKind } from './message-names.ts';
import type { MessageReader } from './read-head.ts';
import { readNotification, readStatement } from './read-statement.ts';
import { readStatusReport } from './read-status-report.ts';
import { readXml, type XmlLimits } from './read-xml.ts';

const messageReaders: Readonly<Record<MessageKind, MessageReader>> = {
  'pain.002.001': readStatusReport,
  'camt.053.001': readStatement,
  'camt.054.001': readNotification,
};

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
      const message = messageOfNamespace(namespace);
      if (message === null || message.kind === null || name !== 'Document') {
        const text = `${quoted(name)} in the namespace ${quoted(namespace)} is not read.`;
        throw new BankFileProblem('unknown_message', place, text, message?.format ?? null);
      }
      return messageReaders[message.kind](message.format, emit);
    },
    limits,
  );
}
