import type { Stored } from '../../src/domain/bank-file/content.ts';
import {
  operatorDismissBankFile,
  operatorExplainBankAnswer,
  operatorExplainBankLine,
  operatorReadBankFileAgain,
  type HandledAnswer,
  type HandledFile,
  type HandledLine,
} from '../../src/domain/operator/bank-desk.ts';
import { operatorMatchBankLine } from '../../src/domain/operator/match-bank-line.ts';
import { operatorTakeBankFile } from '../../src/domain/operator/take-bank-file.ts';
import { bool, id } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { reasonArg, tenantArgs } from './args.ts';

const OperatorBankLine = builder.objectRef<HandledLine>('OperatorBankLine').implement({
  description: 'A movement at a bank that an operator matched or explained.',
  fields: (t) =>
    shown(t, {
      lineId: id('The movement.'),
      actionId: id('Id of the line of ops.action_log that records it.'),
    }),
});

const OperatorBankAnswer = builder.objectRef<HandledAnswer>('OperatorBankAnswer').implement({
  description:
    'An answer of a bank that names nothing of its connection, which an operator explained.',
  fields: (t) =>
    shown(t, {
      answerId: id('The answer.'),
      actionId: id('Id of the line of ops.action_log that records it.'),
    }),
});

const OperatorBankFile = builder.objectRef<Stored>('OperatorBankFile').implement({
  description: 'A file of a bank that an operator brought.',
  fields: (t) =>
    shown(t, {
      fileId: id('The file.'),
      news: bool('false: the connection had these bytes before, and nothing was stored.'),
      waits: bool(
        'Whether a second operator has to confirm it before anything that it says counts: operatorProposedChanges has it.',
      ),
    }),
});

const handledFile = (name: string, description: string) =>
  builder.objectRef<HandledFile>(name).implement({
    description,
    fields: (t) =>
      shown(t, {
        fileId: id('The file.'),
        actionId: id('Id of the line of ops.action_log that records it.'),
      }),
  });

const OperatorReopenedBankFile = handledFile(
  'OperatorReopenedBankFile',
  'A file of a bank that the worker reads once more.',
);

const OperatorDismissedBankFile = handledFile(
  'OperatorDismissedBankFile',
  'A file of a bank of another kind, which nobody needs.',
);

const lineArg = () =>
  builder.args((t) => ({
    lineId: t.id({
      required: true,
      description: 'The movement, a line of ops.bank_unmatched_lines.',
    }),
  }));

builder.mutationFields((t) => ({
  operatorBankFileTake: t.field({
    nullable: true,
    type: OperatorBankFile,
    description:
      'Operators only. Takes a file of a bank that a person brings, at most 15 MiB; the worker reads it. In production, where OPERATOR_CONFIRMATION asks for a second operator, it waits for operatorChangeAnswer first. The same bytes are stored once, and wait once. Throws not_found for the business and the connection.',
    args: {
      ...tenantArgs(),
      connectionId: t.arg.id({ required: true, description: 'The bank connection.' }),
      name: t.arg.string({
        required: true,
        description: 'Name of the file, up to 255 characters.',
      }),
      contentBase64: t.arg.string({
        required: true,
        description: 'The bytes of the file, in base64.',
      }),
      ...reasonArg(),
    },
    resolve: (_root, args, context) => operatorTakeBankFile(context.operatorCall, args),
  }),
  operatorBankFileReadAgain: t.field({
    nullable: true,
    type: OperatorReopenedBankFile,
    description:
      'Operators only. Has the worker read a file once more: one that cannot be read, after what stopped it was mended, or one with a statement of an account that the connection has since. What counted before is found again, so nothing is booked twice. Throws not_found for the business and the file; conflict where the file is in another state.',
    args: {
      ...tenantArgs(),
      fileId: t.arg.id({
        required: true,
        description: 'The file, a line of ops.bank_files.',
      }),
      ...reasonArg(),
    },
    resolve: (_root, args, context) => operatorReadBankFileAgain(context.operatorCall, args),
  }),
  operatorBankFileDismiss: t.field({
    nullable: true,
    type: OperatorDismissedBankFile,
    description:
      'Operators only. Takes a file off the desk that cannot be read and that nobody needs, such as a PDF. It is kept, and nothing that it says counts. Throws not_found for the business and the file; conflict where the file is in another state.',
    args: {
      ...tenantArgs(),
      fileId: t.arg.id({
        required: true,
        description: 'The file, a line of ops.bank_files that is unreadable.',
      }),
      explanation: t.arg.string({
        required: true,
        description: 'What it is; up to 1,000 characters.',
      }),
      ...reasonArg(),
    },
    resolve: (_root, args, context) => operatorDismissBankFile(context.operatorCall, args),
  }),
}));

builder.mutationFields((t) => ({
  operatorBankLineMatch: t.field({
    nullable: true,
    type: OperatorBankLine,
    description:
      'Operators only. Matches a movement that matched nothing with the payment of a payout, or with a batch as a whole; the payout moves as if the movement had named it. Null in production where OPERATOR_CONFIRMATION asks for a second operator, for whom it waits. Throws not_found; conflict where it is not open or waits already, the amounts differ, or the payment is matched already.',
    args: {
      ...tenantArgs(),
      ...lineArg(),
      subjectId: t.arg.id({ required: true, description: 'A payout, or a batch.' }),
      ...reasonArg(),
    },
    resolve: (_root, args, context) => operatorMatchBankLine(context.operatorCall, args),
  }),
  operatorBankLineExplain: t.field({
    nullable: true,
    type: OperatorBankLine,
    description:
      'Operators only. Notes what a movement is that matched nothing. It moves nothing, and leaves the desk. Throws not_found, and conflict where it is not open.',
    args: {
      ...tenantArgs(),
      ...lineArg(),
      explanation: t.arg.string({
        required: true,
        description: 'What it is, which the business reads; up to 1,000 characters.',
      }),
      ...reasonArg(),
    },
    resolve: (_root, args, context) => operatorExplainBankLine(context.operatorCall, args),
  }),
  operatorBankAnswerExplain: t.field({
    nullable: true,
    type: OperatorBankAnswer,
    description:
      'Operators only. Notes what an answer of a bank is that names nothing of its connection. It moves nothing, and leaves the desk. Throws not_found for the business and the answer, and conflict where it is explained already.',
    args: {
      ...tenantArgs(),
      answerId: t.arg.id({
        required: true,
        description: 'The answer, a line of ops.bank_stray_answers.',
      }),
      explanation: t.arg.string({
        required: true,
        description: 'What it is; up to 1,000 characters.',
      }),
      ...reasonArg(),
    },
    resolve: (_root, args, context) => operatorExplainBankAnswer(context.operatorCall, args),
  }),
}));
