import {
  fileProblems,
  lineDoubts,
  strayKinds,
  type StrayKind,
} from '../../src/domain/bank-file/names.ts';
import {
  listMissingDebits,
  listStrayAnswers,
  listUnmatchedLines,
  listUnreadableFiles,
  type MissingDebitOfTenant,
  type StrayAnswerOfTenant,
  type UnmatchedLine,
  type UnreadableFile,
} from '../../src/domain/operator/bank-desk-lists.ts';
import {
  BankFileProblemEnum,
  BankLineDoubtEnum,
  BankLineDirectionEnum,
} from '../bank-file/type.ts';
import { builder } from '../builder.ts';
import { describedValues } from '../common/enum-values.ts';
import { listArgs } from './args.ts';
import { listPage, OperatorListed } from './listed.ts';
import { operatorPageCost } from './page.ts';

const connectionId = 'The bank connection.';
const connection = 'How people call the connection.';
const takenBy = 'Which operator works on it, since when and with what note; null for nobody.';

const OperatorUnmatchedBankLine = builder
  .objectRef<UnmatchedLine>('OperatorUnmatchedBankLine')
  .implement({
    description: 'A movement at a bank that matches nothing (docs/bank-reconciliation.md).',
    interfaces: [OperatorListed],
    fields: (t) => ({
      lineId: t.exposeID('lineId', { description: 'The movement.' }),
      connectionId: t.exposeID('connectionId', { description: connectionId }),
      connection: t.exposeString('connection', { description: connection }),
      fileId: t.exposeID('fileId', { description: 'The file that told of it first.' }),
      direction: t.expose('direction', {
        type: BankLineDirectionEnum,
        description: 'credit: money came in. debit: money went out.',
      }),
      amountMinor: t.expose('amountMinor', {
        type: 'MinorUnits',
        nullable: true,
        description: 'Minor units of currency; null where the bank gives none for it alone.',
      }),
      currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
      bookedOn: t.exposeString('bookedOn', {
        nullable: true,
        description: 'The day on which the bank booked it, YYYY-MM-DD; null where it says none.',
      }),
      doubt: t.expose('doubt', {
        type: BankLineDoubtEnum,
        description: 'Why it is left to a person.',
      }),
      explanation: t.string({
        description: 'Why, in a sentence.',
        resolve: ({ doubt }) => lineDoubts[doubt],
      }),
      matchable: t.exposeBoolean('matchable', {
        description: 'Whether operatorBankLineMatch may fit; operatorBankLineExplain always does.',
      }),
      bankReference: t.exposeString('bankReference', {
        nullable: true,
        description: "The bank's own reference; null where it gives none.",
      }),
      bankCode: t.exposeString('bankCode', {
        nullable: true,
        description: 'What kind of movement it is, by the codes of ISO 20022.',
      }),
      endToEndId: t.exposeString('endToEndId', {
        nullable: true,
        description: 'The end-to-end reference that it names; null for none.',
      }),
      traceNumber: t.exposeString('traceNumber', {
        nullable: true,
        description: 'The trace number of the ACH that it names; null for none.',
      }),
      returnCode: t.exposeString('returnCode', {
        nullable: true,
        description: 'The code with which a payment came back; null where none did.',
      }),
      namedPayoutId: t.exposeID('namedPayoutId', {
        nullable: true,
        description: 'The payout that it names; null where it names none.',
      }),
      sentMinor: t.expose('sentMinor', {
        type: 'MinorUnits',
        nullable: true,
        description: 'What was sent for that payout, in minor units of sentCurrency.',
      }),
      sentCurrency: t.exposeString('sentCurrency', {
        nullable: true,
        description: 'ISO 4217 code of sentMinor.',
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was read.' }),
      takenBy: t.exposeString('takenBy', { nullable: true, description: takenBy }),
    }),
  });

const BankStrayKindEnum = builder.enumType('BankStrayKind', {
  description: 'What kind of answer of a bank names nothing of its connection.',
  values: describedValues<StrayKind>(strayKinds),
});

const OperatorStrayBankAnswer = builder
  .objectRef<StrayAnswerOfTenant>('OperatorStrayBankAnswer')
  .implement({
    description:
      'An answer of a bank that names no file and no payment of its connection (docs/bank-reconciliation.md). Nothing moved for it.',
    interfaces: [OperatorListed],
    fields: (t) => ({
      answerId: t.exposeID('answerId', { description: 'The answer.' }),
      connectionId: t.exposeID('connectionId', { description: connectionId }),
      connection: t.exposeString('connection', { description: connection }),
      fileId: t.exposeID('fileId', { description: 'The file that told of it first.' }),
      fileName: t.exposeString('fileName', { description: 'Name of that file.' }),
      line: t.exposeInt('line', { description: 'Its line in that file; 0 for an event.' }),
      kind: t.expose('kind', {
        type: BankStrayKindEnum,
        description: 'What kind of answer it is.',
      }),
      explanation: t.string({
        description: 'Why it is left to a person, in a sentence.',
        resolve: ({ kind }) => strayKinds[kind],
      }),
      said: t.exposeString('said', {
        description:
          'What the bank says, in its codes, such as RJCT AC04 or R03; of a statement its format, the end of the account number, the currency and its id. Empty where it gives no status.',
      }),
      originalMessageId: t.exposeString('originalMessageId', {
        nullable: true,
        description: 'The message that it answers; null for none.',
      }),
      originalBatchId: t.exposeString('originalBatchId', {
        nullable: true,
        description: 'The batch that it names; null for none.',
      }),
      endToEndId: t.exposeString('endToEndId', {
        nullable: true,
        description: 'The end-to-end reference that it names; null for none.',
      }),
      instructionId: t.exposeString('instructionId', {
        nullable: true,
        description: 'The reference of the instruction that it names; null for none.',
      }),
      traceNumber: t.exposeString('traceNumber', {
        nullable: true,
        description: 'The trace number of the ACH that it names; null for none.',
      }),
      amountMinor: t.expose('amountMinor', {
        type: 'MinorUnits',
        nullable: true,
        description: 'What comes back, in minor units of currency; null where nothing does.',
      }),
      currency: t.exposeString('currency', { nullable: true, description: 'ISO 4217 code.' }),
      createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was read.' }),
      takenBy: t.exposeString('takenBy', { nullable: true, description: takenBy }),
    }),
  });

const OperatorMissingBankDebit = builder
  .objectRef<MissingDebitOfTenant>('OperatorMissingBankDebit')
  .implement({
    description:
      'A payout in a file for a bank whose debit no statement has shown five days after its execution.',
    interfaces: [OperatorListed],
    fields: (t) => ({
      payoutId: t.exposeID('payoutId', { description: 'The payout.' }),
      connectionId: t.exposeID('connectionId', { description: connectionId }),
      connection: t.exposeString('connection', { description: connection }),
      batchId: t.exposeID('batchId', { description: 'The batch whose file has it.' }),
      attemptId: t.exposeID('attemptId', { description: 'The hand-over of the payout.' }),
      amountMinor: t.expose('amountMinor', {
        type: 'MinorUnits',
        description: 'Minor units of currency.',
      }),
      currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
      executionDate: t.exposeString('executionDate', {
        description: 'The day on which the bank was asked to execute it, YYYY-MM-DD.',
      }),
      endToEndId: t.exposeString('endToEndId', {
        description: 'The reference by which the bank finds it.',
      }),
      traceNumber: t.exposeString('traceNumber', {
        nullable: true,
        description: 'Its number in a Nacha file; null in other files.',
      }),
      resolvable: t.exposeBoolean('resolvable', {
        description:
          'Whether an outcome is open, which operatorPayoutResolve takes. Otherwise only what the bank writes moves the payout.',
      }),
      takenBy: t.exposeString('takenBy', { nullable: true, description: takenBy }),
    }),
  });

const OperatorUnreadableBankFile = builder
  .objectRef<UnreadableFile>('OperatorUnreadableBankFile')
  .implement({
    description:
      'A file of a bank that cannot be read. It is kept, and nothing that it says counts (docs/bank-reconciliation.md).',
    interfaces: [OperatorListed],
    fields: (t) => ({
      fileId: t.exposeID('fileId', { description: 'The file.' }),
      connectionId: t.exposeID('connectionId', { description: connectionId }),
      connection: t.exposeString('connection', { description: connection }),
      name: t.exposeString('name', { description: 'As the bank, or who brought it, named it.' }),
      format: t.exposeString('format', {
        nullable: true,
        description:
          'Such as camt.053.001.08, nacha, or mt940: what it says or seems to be; null where that is not known.',
      }),
      sizeBytes: t.float({
        nullable: true,
        description: 'Its length in bytes, an integer.',
        resolve: ({ sizeBytes }) => (sizeBytes === null ? null : Number(sizeBytes)),
      }),
      sha256: t.exposeString('sha256', {
        nullable: true,
        description: 'SHA-256 of its bytes, in hexadecimal digits.',
      }),
      problem: t.expose('problem', {
        type: BankFileProblemEnum,
        nullable: true,
        description: 'Why it cannot be read.',
      }),
      explanation: t.string({
        nullable: true,
        description: 'Why, in a sentence.',
        resolve: ({ problem }) => (problem === null ? null : fileProblems[problem]),
      }),
      problemPlace: t.exposeString('problemPlace', {
        nullable: true,
        description: 'Where in the file the problem is: the line and, in XML, the path.',
      }),
      receivedAt: t.expose('receivedAt', { type: 'DateTime', description: 'When it arrived.' }),
      takenBy: t.exposeString('takenBy', { nullable: true, description: takenBy }),
    }),
  });

const UnmatchedLines = builder.connectionObject({
  type: OperatorUnmatchedBankLine,
  name: 'OperatorUnmatchedBankLineConnection',
  description: 'A page of movements that match nothing, newest first.',
});

const StrayAnswers = builder.connectionObject({
  type: OperatorStrayBankAnswer,
  name: 'OperatorStrayBankAnswerConnection',
  description: 'A page of answers that name nothing of their connection, newest first.',
});

const MissingDebits = builder.connectionObject({
  type: OperatorMissingBankDebit,
  name: 'OperatorMissingBankDebitConnection',
  description: 'A page of payouts that no statement has shown in time, newest first.',
});

const UnreadableFiles = builder.connectionObject({
  type: OperatorUnreadableBankFile,
  name: 'OperatorUnreadableBankFileConnection',
  description: 'A page of files that cannot be read, newest first.',
});

builder.queryFields((t) => ({
  operatorBankUnmatchedLines: t.field({
    type: UnmatchedLines,
    description:
      'Operators only. The movements at banks that match no payment, with why and what can be done, as ops.bank_unmatched_lines says it.',
    args: listArgs,
    complexity: operatorPageCost,
    resolve: listPage('operatorBankUnmatchedLines', listUnmatchedLines, ({ lineId }) => lineId),
  }),
  operatorBankStrayAnswers: t.field({
    type: StrayAnswers,
    description:
      'Operators only. The status reports, returns and notifications of change that name no file and no payment of their connection, and statements of other accounts, as ops.bank_stray_answers says it; operatorBankAnswerExplain takes one off the desk.',
    args: listArgs,
    complexity: operatorPageCost,
    resolve: listPage('operatorBankStrayAnswers', listStrayAnswers, ({ answerId }) => answerId),
  }),
  operatorBankMissingDebits: t.field({
    type: MissingDebits,
    description:
      'Operators only. The payouts whose debit no statement has shown five days after their execution, as ops.bank_missing_debits says it.',
    args: listArgs,
    complexity: operatorPageCost,
    resolve: listPage('operatorBankMissingDebits', listMissingDebits, ({ payoutId }) => payoutId),
  }),
  operatorBankUnreadableFiles: t.field({
    type: UnreadableFiles,
    description:
      'Operators only. The files of banks that cannot be read, as ops.bank_files says it; operatorBankFileReadAgain reads one once more, and operatorBankFileDismiss takes one away that nobody needs.',
    args: listArgs,
    complexity: operatorPageCost,
    resolve: listPage('operatorBankUnreadableFiles', listUnreadableFiles, ({ fileId }) => fileId),
  }),
}));
