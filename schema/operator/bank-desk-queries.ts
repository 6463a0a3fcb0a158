import { lineFields } from '../../src/domain/bank-file/fields.ts';
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
import { BankFileProblemEnum, BankLineDoubtEnum } from '../bank-file/type.ts';
import { bool, id, int, minorUnits, of, text, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { connectionOf } from '../lists/connections.ts';
import { describedEnum } from '../common/described-enum.ts';
import { listArgs } from './args.ts';
import { listPage, ofConnection, OperatorListed, taken } from './listed.ts';
import { operatorPageCost } from './page.ts';

const OperatorUnmatchedBankLine = builder
  .objectRef<UnmatchedLine>('OperatorUnmatchedBankLine')
  .implement({
    description: 'A movement at a bank that matches nothing (docs/bank-reconciliation.md).',
    interfaces: [OperatorListed],
    fields: (t) =>
      shown(t, {
        lineId: id('The movement.'),
        ...lineFields,
        ...ofConnection,
        doubt: of(BankLineDoubtEnum, 'Why it is left to a person.'),
        explanation: t.string({
          description: 'Why, in a sentence.',
          resolve: ({ doubt }) => lineDoubts[doubt],
        }),
        matchable: bool(
          'Whether operatorBankLineMatch may fit; operatorBankLineExplain always does.',
        ),
        bankCode: text.orNull('What kind of movement it is, by the codes of ISO 20022.'),
        traceNumber: text.orNull('The trace number of the ACH that it names; null for none.'),
        namedPayoutId: id.orNull('The payout that it names; null where it names none.'),
        sentMinor: minorUnits.orNull(
          'What was sent for that payout, in minor units of sentCurrency.',
        ),
        sentCurrency: text.orNull('ISO 4217 code of sentMinor.'),
        ...taken,
      }),
  });

const BankStrayKindEnum = describedEnum<StrayKind>(
  'BankStrayKind',
  'What kind of answer of a bank names nothing of its connection.',
  strayKinds,
);

const OperatorStrayBankAnswer = builder
  .objectRef<StrayAnswerOfTenant>('OperatorStrayBankAnswer')
  .implement({
    description:
      'An answer of a bank that names no file and no payment of its connection (docs/bank-reconciliation.md). Nothing moved for it.',
    interfaces: [OperatorListed],
    fields: (t) =>
      shown(t, {
        answerId: id('The answer.'),
        ...ofConnection,
        fileId: id('The file that told of it first.'),
        fileName: text('Name of that file.'),
        line: int('Its line in that file; 0 for an event.'),
        kind: of(BankStrayKindEnum, 'What kind of answer it is.'),
        explanation: t.string({
          description: 'Why it is left to a person, in a sentence.',
          resolve: ({ kind }) => strayKinds[kind],
        }),
        said: text(
          'What the bank says, in its codes, such as RJCT AC04 or R03; of a statement its format, the end of the account number, the currency and its id. Empty where it gives no status.',
        ),
        originalMessageId: text.orNull('The message that it answers; null for none.'),
        originalBatchId: text.orNull('The batch that it names; null for none.'),
        endToEndId: text.orNull('The end-to-end reference that it names; null for none.'),
        instructionId: text.orNull(
          'The reference of the instruction that it names; null for none.',
        ),
        traceNumber: text.orNull('The trace number of the ACH that it names; null for none.'),
        amountMinor: minorUnits.orNull(
          'What comes back, in minor units of currency; null where nothing does.',
        ),
        currency: text.orNull('ISO 4217 code.'),
        createdAt: time('When it was read.'),
        ...taken,
      }),
  });

const OperatorMissingBankDebit = builder
  .objectRef<MissingDebitOfTenant>('OperatorMissingBankDebit')
  .implement({
    description:
      'A payout in a file for a bank whose debit no statement has shown five days after its execution.',
    interfaces: [OperatorListed],
    fields: (t) =>
      shown(t, {
        payoutId: id('The payout.'),
        ...ofConnection,
        batchId: id('The batch whose file has it.'),
        attemptId: id('The submission of the payout.'),
        amountMinor: minorUnits('Minor units of currency.'),
        currency: text('ISO 4217 code.'),
        executionDate: text('The day on which the bank was asked to execute it, YYYY-MM-DD.'),
        endToEndId: text('The reference by which the bank finds it.'),
        traceNumber: text.orNull('Its number in a Nacha file; null in other files.'),
        resolvable: bool(
          'Whether an outcome is open, which operatorPayoutResolve takes. Otherwise only what the bank writes moves the payout.',
        ),
        ...taken,
      }),
  });

const OperatorUnreadableBankFile = builder
  .objectRef<UnreadableFile>('OperatorUnreadableBankFile')
  .implement({
    description:
      'A file of a bank that cannot be read. It is kept, and nothing that it says counts (docs/bank-reconciliation.md).',
    interfaces: [OperatorListed],
    fields: (t) =>
      shown(t, {
        fileId: id('The file.'),
        ...ofConnection,
        name: text('As the bank, or who brought it, named it.'),
        format: text.orNull(
          'Such as camt.053.001.08, nacha, or mt940: what it says or seems to be; null where that is not known.',
        ),
        sizeBytes: t.float({
          nullable: true,
          description: 'Its length in bytes, an integer.',
          resolve: ({ sizeBytes }) => (sizeBytes === null ? null : Number(sizeBytes)),
        }),
        sha256: text.orNull('SHA-256 of its bytes, in hexadecimal digits.'),
        problem: of.orNull(BankFileProblemEnum, 'Why it cannot be read.'),
        explanation: t.string({
          nullable: true,
          description: 'Why, in a sentence.',
          resolve: ({ problem }) => (problem === null ? null : fileProblems[problem]),
        }),
        problemPlace: text.orNull(
          'Where in the file the problem is: the line and, in XML, the path.',
        ),
        receivedAt: time('When it arrived.'),
        ...taken,
      }),
  });

const UnmatchedLines = connectionOf(
  OperatorUnmatchedBankLine,
  'OperatorUnmatchedBankLineConnection',
  'A page of movements that match nothing, newest first.',
);

const StrayAnswers = connectionOf(
  OperatorStrayBankAnswer,
  'OperatorStrayBankAnswerConnection',
  'A page of answers that name nothing of their connection, newest first.',
);

const MissingDebits = connectionOf(
  OperatorMissingBankDebit,
  'OperatorMissingBankDebitConnection',
  'A page of payouts that no statement has shown in time, newest first.',
);

const UnreadableFiles = connectionOf(
  OperatorUnreadableBankFile,
  'OperatorUnreadableBankFileConnection',
  'A page of files that cannot be read, newest first.',
);

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
