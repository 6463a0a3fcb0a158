import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Router, type RequestHandler, type Response } from 'express';
import { takeExport } from '../schema/export/handover.ts';
import { DomainError } from '../src/errors/domain-error.ts';
import type { Services } from '../src/services.ts';
import { toCamelCase } from './case.ts';
import { csvFile, transactionsExportQuery } from './contracts/exports.ts';
import { createOperation, facts, type RestParts } from './handler.ts';
import type { Operation } from './route.ts';

/** Operations whose answer is the file that their document names; they are no rows of the route table. */
export const exportOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/v1/reporting/transactions/export',
    operationId: 'exportTransactions',
    summary: 'Download the whole filtered transactions ledger as CSV, oldest payout first',
    tag: 'Exports',
    permission: 'read',
    query: transactionsExportQuery,
    responses: { 200: csvFile },
    errors: ['too_many_requests'],
    document: `
      query ExportTransactions($filter: TransactionsExportFilter) {
        transactionsExport(filter: $filter) { filename }
      }`,
    variables: ({ query }) => ({ filter: toCamelCase(query) }),
  },
  {
    method: 'get',
    path: '/v1/beneficiaries/export',
    operationId: 'exportBeneficiaries',
    summary: 'Download the address book as CSV, without archived beneficiaries',
    tag: 'Exports',
    permission: 'read',
    responses: { 200: csvFile },
    errors: ['too_many_requests'],
    document: 'query ExportBeneficiaries { beneficiariesExport { filename } }',
    variables: () => ({}),
  },
];

/** A reader that takes nothing for so long is gone, and its export holds a database connection. */
const stallMilliseconds = 60_000;

const premature = 'ERR_STREAM_PREMATURE_CLOSE';

/** Sends the file as fast as it is taken. Once bytes are out, a failure can only cut the answer. */
async function send(services: Services, response: Response, csv: Readable): Promise<void> {
  response.setTimeout(stallMilliseconds, () => response.destroy());
  try {
    await pipeline(csv, response);
  } catch (error) {
    response.destroy();
    // A caller that went away is no fault of ours; the request's log line tells of it.
    if (error instanceof Error && 'code' in error && error.code === premature) return;
    const { requestId } = facts(response);
    services.log.error({ request_id: requestId, message: String(error) }, 'an export was cut');
  }
}

/** Opens before the status is out: what is refused or fails here is still an error envelope. */
async function open(response: Response, file: ReturnType<typeof takeExport>): Promise<Readable> {
  try {
    return await file.open();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'too_many_requests') {
      response.setHeader('Retry-After', '10');
    }
    throw error;
  }
}

function createExport(operation: Operation, parts: RestParts): RequestHandler {
  const perform = createOperation(operation, parts);
  return async (request, response) => {
    const performed = await perform(request, response);
    if (performed === null) return;
    const file = takeExport(performed.context);
    const csv = request.method === 'HEAD' ? null : await open(response, file);
    response.status(200).set({
      'Content-Type': file.contentType,
      'Content-Disposition': `attachment; filename="${file.filename}"`,
    });
    if (csv === null) response.end();
    else await send(parts.services, response, csv);
  };
}

/** The CSV exports. `app.ts` mounts them before the table, where `/v1/beneficiaries/:id` would match. */
export function createExports(parts: RestParts): Router {
  const router = Router();
  for (const operation of exportOperations) {
    router.get(operation.path, createExport(operation, parts));
  }
  return router;
}
