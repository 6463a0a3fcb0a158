import type { BankFile } from '../../generated/prisma/client.ts';
import { batchFields } from '../../src/domain/bank-batch/fields.ts';
import { readBatches } from '../../src/domain/bank-batch/list.ts';
import type { StoredBatch } from '../../src/domain/bank-batch/store.ts';
import { readFilesOfConnection } from '../../src/domain/bank-file/list.ts';
import { inTenant } from '../../src/domain/operator/in-tenant.ts';
import { bool, id, stored, text, time } from '../../src/values/columns.ts';
import '../bank-batch/enums.ts';
import { BankFileProblemEnum, BankFileStatusEnum } from '../bank-file/type.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { connectionOf } from '../lists/connections.ts';
import { forwardArgs } from '../lists/page-args.ts';
import { tenantArgs } from './args.ts';
import { operatorPage, operatorPageCost } from './page.ts';

const OperatorPastBankBatch = builder.objectRef<StoredBatch>('OperatorPastBankBatch').implement({
  description: 'A file for a bank, of whichever status. operatorBankBatch has more of it.',
  fields: (t) =>
    shown(t, {
      batchId: t.exposeID('id', { description: 'The batch.' }),
      ...batchFields,
      needsOperator: bool('Whether a person has to act.'),
    }),
});

const OperatorPastBankFile = builder.objectRef<BankFile>('OperatorPastBankFile').implement({
  description: 'A file that came from a bank, of whichever status.',
  fields: (t) =>
    shown(t, {
      fileId: t.exposeID('id', { description: 'The file.' }),
      name: text('As the bank, or who brought it, named it.'),
      status: stored(BankFileStatusEnum, 'How far the service is with it.'),
      format: text.orNull('Such as camt.053.001.08, or nacha; null where it is not known.'),
      sha256: text.orNull('SHA-256 of its bytes, in hexadecimal digits.'),
      sizeBytes: t.float({
        nullable: true,
        description: 'Its length in bytes, an integer; null while it is being stored.',
        resolve: ({ sizeBytes }) => (sizeBytes === null ? null : Number(sizeBytes)),
      }),
      problem: stored.orNull(BankFileProblemEnum, 'Why it cannot be read.'),
      problemPlace: text.orNull('Where in the file the problem is.'),
      takenBy: id.orNull('Which operator brought it; null where the worker fetched it.'),
      receivedAt: time('When it first arrived.'),
      appliedAt: time.orNull('When everything that it says counted; null before.'),
    }),
});

const PastBatches = connectionOf(
  OperatorPastBankBatch,
  'OperatorPastBankBatchConnection',
  'A page of files for a bank, newest first.',
);

const PastFiles = connectionOf(
  OperatorPastBankFile,
  'OperatorPastBankFileConnection',
  'A page of files of a bank, newest first.',
);

const pageOfConnection = {
  ...tenantArgs(),
  ...builder.args((t) => ({
    connectionId: t.id({ required: true, description: 'The bank connection.' }),
  })),
  ...forwardArgs,
};

builder.queryFields((t) => ({
  operatorBankPastBatches: t.field({
    type: PastBatches,
    description:
      'Operators only. Every file that was made for a bank connection, newest first. Throws not_found for the business.',
    args: pageOfConnection,
    complexity: operatorPageCost,
    resolve: async (_root, { first, after, connectionId, ...tenant }, context) => {
      const call = await inTenant(context.operatorCall, tenant);
      return operatorPage(context, {
        list: 'operatorBankPastBatches',
        filter: { connectionId, ...tenant },
        first,
        after,
        fetch: (_operator, position, take) =>
          readBatches(call, connectionId, {
            after: position,
            before: null,
            take,
            backwards: false,
          }),
        position: (batch) => batch.id,
      });
    },
  }),
  operatorBankPastFiles: t.field({
    type: PastFiles,
    description:
      'Operators only. Every file that came from the bank of a connection, or was brought for it, newest first. Throws not_found for the business.',
    args: pageOfConnection,
    complexity: operatorPageCost,
    resolve: async (_root, { first, after, connectionId, ...tenant }, context) => {
      const call = await inTenant(context.operatorCall, tenant);
      return operatorPage(context, {
        list: 'operatorBankPastFiles',
        filter: { connectionId, ...tenant },
        first,
        after,
        fetch: (_operator, before, take) =>
          readFilesOfConnection(call, connectionId, { before, take }),
        position: (file) => file.id,
      });
    },
  }),
}));
