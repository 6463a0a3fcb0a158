import {
  operatorBatchUploaded,
  operatorCloseBatches,
  operatorDownloadBatch,
  operatorResolveBatch,
  type BatchFileForHand,
  type NotedBatch,
} from '../../src/domain/operator/bank-batch.ts';
import { BankBatchOutcomeEnum, BankBatchStatusEnum } from '../bank-batch/enums.ts';
import { bool, id, of, text } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { evidenceArg, reasonArg, tenantArgs } from './args.ts';

const OperatorBankBatchFile = builder
  .objectRef<BatchFileForHand>('OperatorBankBatchFile')
  .implement({
    description: 'A file that a person carries to the bank.',
    fields: (t) =>
      shown(t, {
        batchId: id('The batch.'),
        fileName: text('The name that it is saved under.'),
        sha256: text('SHA-256 of the file in hexadecimal digits: compare it before the upload.'),
        contentBase64: t.string({
          description: 'The file in base64.',
          resolve: ({ content }) => content.toString('base64'),
        }),
      }),
  });

const OperatorBankBatchNoted = builder.objectRef<NotedBatch>('OperatorBankBatchNoted').implement({
  description: 'A batch about which an operator said something.',
  fields: (t) =>
    shown(t, {
      batchId: id('The batch.'),
      status: of(BankBatchStatusEnum, 'Its status afterwards.'),
      awaitsSecondPerson: bool(
        'Whether a second person has to say the same before anything happens.',
      ),
    }),
});

const OperatorBankConnectionClosing = builder
  .objectRef<{ readonly connectionId: string }>('OperatorBankBatchesOrder')
  .implement({
    description: 'An order to make files, which a job carries out.',
    fields: (t) =>
      shown(t, {
        connectionId: id('The bank connection.'),
      }),
  });

const batchArg = () =>
  builder.args((t) => ({ batchId: t.id({ required: true, description: 'The batch.' }) }));

builder.mutationFields((t) => ({
  operatorBankBatchesClose: t.field({
    nullable: true,
    type: OperatorBankConnectionClosing,
    description:
      'Operators only. Makes files of everything that waits for a bank connection now, before its cut-off. Throws not_found, and conflict where the connection is not active.',
    args: {
      ...tenantArgs(),
      connectionId: t.arg.id({ required: true, description: 'The bank connection.' }),
      ...reasonArg(),
    },
    resolve: (_root, args, context) => operatorCloseBatches(context.operatorCall, args),
  }),
  operatorBankBatchDownload: t.field({
    nullable: true,
    type: OperatorBankBatchFile,
    description:
      'Operators only. Gives the file of a connection that people serve, and records who has it. Throws not_found, and conflict where no person carries the file, or it was uploaded.',
    args: { ...tenantArgs(), ...batchArg(), ...reasonArg() },
    resolve: (_root, args, context) => operatorDownloadBatch(context.operatorCall, args),
  }),
  operatorBankBatchUploaded: t.field({
    nullable: true,
    type: OperatorBankBatchNoted,
    description:
      'Operators only. Says that a file that another person downloaded was uploaded at the bank: its payouts count as handed over. Throws not_found, and conflict for whoever downloaded it.',
    args: { ...tenantArgs(), ...batchArg(), ...reasonArg() },
    resolve: (_root, args, context) => operatorBatchUploaded(context.operatorCall, args),
  }),
  operatorBankBatchResolve: t.field({
    nullable: true,
    type: OperatorBankBatchNoted,
    description:
      'Operators only. Says whether the bank has a file of which nobody knows. After not_sent of two people the same bytes are sent again. Throws not_found, and conflict where the outcome is known.',
    args: {
      ...tenantArgs(),
      ...batchArg(),
      outcome: t.arg({
        type: BankBatchOutcomeEnum,
        required: true,
        description: 'What the bank says.',
      }),
      ...evidenceArg(),
      ...reasonArg(),
    },
    resolve: (_root, args, context) => operatorResolveBatch(context.operatorCall, args),
  }),
}));
