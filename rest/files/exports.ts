import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { takeExport, takeStored } from '../../schema/export/handover.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import type { Services } from '../../src/process/services.ts';
import { toCamelCase } from '../http/case.ts';
import {
  csvFile,
  exportEnvelope,
  exportParams,
  preferHeader,
  rangeHeaders,
  transactionsExportQuery,
} from '../contracts/exports.ts';
import { ledgerEntriesQuery } from '../contracts/ledger.ts';
import { createOperation, facts, type RestParts } from '../route/handler.ts';
import { HttpError } from '../http/http-error.ts';
import { sendAtPace, streamedPace, TooSlow } from './pace.ts';
import { prefersAsync } from '../http/prefer.ts';
import { namesVersion, parseRange } from './range.ts';
import { exportFields } from '../routes/exports.ts';
import type { Operation } from '../route/route.ts';

/** Asks for an export that a job writes. */
const createDocument = `
  mutation CreateExport($input: ExportCreateInput!) {
    export: exportCreate(input: $input) { ...ExportFields }
  }
  ${exportFields}`;

/** What the operations have in common whose answer is a CSV, at once or by a job. */
const ofCsv = {
  method: 'get',
  details:
    'With `Prefer: respond-async` a job writes the file. Ask for its `Location` until it answers 200; the file is kept for 24 hours.',
  tag: 'Exports',
  permission: 'read',
  headers: preferHeader,
  responses: {
    200: {
      means: 'The CSV file, made while it is sent and consistent in itself.',
      body: csvFile,
      headers: ['Content-Disposition'],
    },
    202: {
      means: 'A job writes the file. Its Location answers the file when it is finished.',
      body: exportEnvelope,
      headers: ['Location', 'Preference-Applied'],
    },
  },
  errors: ['too_many_requests'],
} as const;

const exportTransactions: Operation = {
  ...ofCsv,
  path: '/v1/reporting/transactions/export',
  operationId: 'exportTransactions',
  summary: 'Download all payouts that match as CSV, oldest first',
  query: transactionsExportQuery,
  document: `
    query ExportTransactions($filter: TransactionsExportFilter) {
      transactionsExport(filter: $filter) { filename }
    }`,
  variables: ({ query }) => ({ filter: toCamelCase(query) }),
};

const exportBeneficiaries: Operation = {
  ...ofCsv,
  path: '/v1/beneficiaries/export',
  operationId: 'exportBeneficiaries',
  summary: 'Download the beneficiaries as CSV, without archived ones',
  document: 'query ExportBeneficiaries { beneficiariesExport { filename } }',
  variables: () => ({}),
};

const exportLedgerEntries: Operation = {
  ...ofCsv,
  path: '/v1/funding/entries/export',
  operationId: 'exportLedgerEntries',
  summary: 'Download all entries of the books that match as CSV, oldest first',
  query: ledgerEntriesQuery,
  document: `
    query ExportLedgerEntries($entriesFilter: LedgerEntryFilter) {
      ledgerEntriesExport(filter: $entriesFilter) { filename }
    }`,
  variables: ({ query }) => ({ entriesFilter: toCamelCase(query) }),
};

const downloadExport: Operation = {
  method: 'get',
  path: '/v1/exports/:exportId',
  operationId: 'downloadExport',
  summary: 'Download the file of an export; 202 with its progress while it is being written',
  details: 'A download that broke off goes on with `Range` and `If-Range`.',
  tag: 'Exports',
  permission: 'read',
  params: exportParams,
  headers: rangeHeaders,
  responses: {
    200: {
      means: 'The whole file.',
      body: csvFile,
      headers: ['Content-Disposition', 'ETag', 'Accept-Ranges'],
    },
    202: {
      means:
        'The file is still being written; the body says how far it is. Ask again after Retry-After.',
      body: exportEnvelope,
      headers: ['Retry-After'],
    },
    206: {
      means: 'The part of the file that Range asked for.',
      body: csvFile,
      headers: ['Content-Disposition', 'ETag', 'Accept-Ranges', 'Content-Range'],
    },
    304: {
      means: 'The file is the one that If-None-Match names; the answer has no body.',
      body: null,
      headers: ['ETag', 'Accept-Ranges'],
    },
  },
  errors: ['not_found', 'EXPORT_EXPIRED', 'EXPORT_FAILED'],
  document: `query DownloadExport($id: ID!) { export(id: $id) { ...ExportFields } } ${exportFields}`,
  variables: ({ params }) => ({ id: (params as { exportId: string }).exportId }),
};

/** Operations whose answer is a file; they are no rows of the route table. */
export const exportOperations: readonly Operation[] = [
  exportTransactions,
  exportBeneficiaries,
  exportLedgerEntries,
  downloadExport,
];

/** As GraphQL names it. */
type ExportKind = 'transactions' | 'beneficiaries' | 'ledger_entries';

/** What the fragment selects, as far as it is read here. */
interface ExportBody {
  readonly id: string;
  readonly status: string;
  readonly failure_message: string | null;
}

/** Seconds after which an export that is being written may be asked for again. */
const pollSeconds = '2';

/** The codes of a stream whose answer ended while it was sent, or before that. */
const callerLeft = new Set<unknown>(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE']);

/** A reader that takes nothing for this long is considered gone. */
const stallMilliseconds = 60_000;

/** Waits until the file is sent. Once bytes are out, a failure can only cut the answer. */
async function send(services: Services, response: Response, sent: Promise<void>): Promise<void> {
  response.setTimeout(stallMilliseconds, () => response.destroy());
  try {
    await sent;
  } catch (error) {
    response.destroy();
    // The caller closed the connection; the log line of the request shows it.
    if (error instanceof Error && 'code' in error && callerLeft.has(error.code)) return;
    const about = { request_id: facts(response).requestId, message: String(error) };
    if (error instanceof TooSlow)
      services.log.warn(about, 'the download of an export was ended: it was too slow');
    else services.log.error(about, 'the download of an export failed');
  }
}

function nameFile(response: Response, file: { contentType: string; filename: string }): Response {
  return response.set({
    'Content-Type': file.contentType,
    'Content-Disposition': `attachment; filename="${file.filename}"`,
  });
}

/** Opens a file for an answer; null when its caller leaves before the first bytes are there. */
async function openFor(
  response: Response,
  file: ReturnType<typeof takeExport>,
): Promise<Readable | null> {
  const left = new AbortController();
  const leave = () => left.abort();
  response.once('close', leave);
  if (response.closed) leave();
  try {
    return await file.open(left.signal);
  } catch (error) {
    if (left.signal.aborted) return null;
    throw error;
  } finally {
    response.off('close', leave);
  }
}

/** An export whose bytes are made while they are sent. */
function createStreamed(operation: Operation, parts: RestParts): RequestHandler {
  const perform = createOperation(operation, parts);
  return async (request, response) => {
    const performed = await perform(request, response);
    if (performed === null) return;
    const file = takeExport(performed.context);
    // Before the status is out: what is refused or fails here is still an error envelope.
    if (request.method === 'HEAD') {
      nameFile(response.status(200), file).end();
      return;
    }
    const csv = await openFor(response, file);
    if (csv === null) return;
    nameFile(response.status(200), file);
    await send(parts.services, response, sendAtPace(response, csv, streamedPace));
  };
}

/** The same export, written by a job. */
function createOrdered(operation: Operation, kind: ExportKind, parts: RestParts): RequestHandler {
  const perform = createOperation(
    {
      ...operation,
      document: createDocument,
      variables: async (input) => ({
        input: { kind, ...(await operation.variables(input)) },
      }),
    },
    parts,
  );
  return async (request, response) => {
    const performed = await perform(request, response);
    if (performed === null) return;
    const { id } = performed.data['export'] as ExportBody; // the fragment selects it
    response.set({ Location: `/v1/exports/${id}`, 'Preference-Applied': 'respond-async' });
    response.status(202).json(performed.data);
  };
}

/** Either of the two, as the caller prefers (RFC 7240). A HEAD makes nothing. */
function createEither(operation: Operation, kind: ExportKind, parts: RestParts): RequestHandler {
  const streamed = createStreamed(operation, parts);
  const ordered = createOrdered(operation, kind, parts);
  return (request, response, next) => {
    const later = request.method === 'GET' && prefersAsync(request.get('prefer'));
    return (later ? ordered : streamed)(request, response, next);
  };
}

type StoredFile = NonNullable<ReturnType<typeof takeStored>>;

/** Sends a finished file, or the part of it that is asked for (RFC 9110, section 14). */
async function sendStored(
  parts: RestParts,
  request: Request,
  response: Response,
  file: StoredFile,
): Promise<void> {
  const etag = `"${file.version}"`;
  // If-Range: a part is useful only if the caller has the beginning of the same file (RFC 9110, section 13.1.5).
  const condition = request.get('if-range');
  const wanted = condition === undefined || condition === etag ? request.get('range') : undefined;
  const range = request.method === 'GET' ? parseRange(wanted, file.size) : null;
  response.set({ 'Accept-Ranges': 'bytes', ETag: etag });
  // If-None-Match comes before Range (RFC 9110, section 13.2.2).
  if (namesVersion(request.get('if-none-match'), etag)) {
    response.status(304).end();
    return;
  }
  if (range === 'unsatisfiable') {
    response.set('Content-Range', `bytes */${file.size}`);
    throw new HttpError(416, `The file has ${file.size} bytes.`);
  }
  const { from, until } = range ?? { from: 0, until: file.size };
  nameFile(response.status(range === null ? 200 : 206), file);
  response.set('Content-Length', String(until - from));
  if (range !== null) response.set('Content-Range', `bytes ${from}-${until - 1}/${file.size}`);
  if (request.method === 'HEAD') response.end();
  else await send(parts.services, response, pipeline(file.open(from, until), response));
}

/** Answers with the file of an export, or with how far it is. */
function createDownload(parts: RestParts): RequestHandler {
  const perform = createOperation(downloadExport, parts);
  return async (request, response) => {
    const performed = await perform(request, response);
    if (performed === null) return;
    const found = performed.data['export'] as ExportBody | null; // the fragment selects it
    if (found === null) throw new DomainError('not_found');
    if (found.status === 'expired') throw new DomainError('EXPORT_EXPIRED');
    if (found.status === 'failed') {
      const message = `The export failed: ${found.failure_message ?? 'the reason is not known'}.`;
      throw new DomainError('EXPORT_FAILED', { message });
    }
    const file = takeStored(performed.context);
    if (file !== null) await sendStored(parts, request, response, file);
    else response.status(202).set('Retry-After', pollSeconds).json(performed.data);
  };
}

/** The CSV exports. `app.ts` mounts them before the table, where `/v1/beneficiaries/:id` would match. */
export function createExports(parts: RestParts): Router {
  const router = Router({ caseSensitive: true });
  router.get(exportTransactions.path, createEither(exportTransactions, 'transactions', parts));
  router.get(exportBeneficiaries.path, createEither(exportBeneficiaries, 'beneficiaries', parts));
  router.get(exportLedgerEntries.path, createEither(exportLedgerEntries, 'ledger_entries', parts));
  router.get(downloadExport.path, createDownload(parts));
  return router;
}
