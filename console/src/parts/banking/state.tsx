import type {
  BankBatchStatus,
  BankConnectionStatus,
  BankFileStatus,
} from '../../../../generated/console-types/graphql.ts';
import { texts } from '../../texts/texts.ts';
import { StateMark, type Tone } from '../state.tsx';

const words = texts.banks;

const batchTones: Readonly<Record<BankBatchStatus, Tone>> = {
  closed: 'wait',
  sending: 'go',
  sent: 'good',
  unknown: 'bad',
  rejected: 'bad',
};

/** What is known of a file on its way to a bank. */
export const BatchMark = ({ status }: { readonly status: BankBatchStatus }) => (
  <StateMark tone={batchTones[status]}>{texts.operatorBanks.batches.states[status]}</StateMark>
);

const fileTones: Readonly<Record<BankFileStatus, Tone>> = {
  arriving: 'go',
  waiting: 'wait',
  received: 'go',
  read: 'good',
  unreadable: 'bad',
  dismissed: 'calm',
};

/** How far a file of a bank is. */
export const FileMark = ({ status }: { readonly status: BankFileStatus }) => (
  <StateMark tone={fileTones[status]}>{words.files.states[status]}</StateMark>
);

const connectionTones: Readonly<Record<BankConnectionStatus, Tone>> = {
  active: 'good',
  paused: 'wait',
  closed: 'calm',
};

/** Whether files are made for a connection. */
export const ConnectionMark = ({ status }: { readonly status: BankConnectionStatus }) => (
  <StateMark tone={connectionTones[status]}>{words.connection.states[status]}</StateMark>
);
