import { parse } from 'node:querystring';
import type { Request } from 'express';
import { readBytes, type UploadPace } from '../http/body.ts';
import { uploadSeconds } from '../http/server.ts';
import { PageFailure } from './failure.ts';
import type { Values } from './fields.ts';

/** Larger than any form of these pages; the file has a limit of its own. */
const formLimit = 64 * 1024;

const mebibyte = 1024 * 1024;

/** A slower sender holds a place that others need; two megabytes would take two minutes. */
const uploadPace: UploadPace = { bytesPerSecond: 16 * 1024, afterSeconds: 10 };

/** Runs a task when there is room for a file in memory. */
export type Admit = <T>(task: () => Promise<T>) => Promise<T>;

const mediaType = (request: Request): string =>
  (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** The last value of each name, trimmed. */
function flat(pairs: Iterable<readonly [string, unknown]>): Values {
  const values: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of pairs) {
    const last: unknown = Array.isArray(value) ? value.at(-1) : value;
    if (typeof last === 'string') values[name] = last.trim();
  }
  return values;
}

/** Reads a form without a file. Throws PageFailure with 415 for another content type, HttpError 413. */
export async function readForm(request: Request): Promise<Values> {
  if (mediaType(request) !== 'application/x-www-form-urlencoded') {
    throw new PageFailure('badRequest', 415);
  }
  const text = (await readBytes(request, formLimit)).toString('utf8');
  return flat(Object.entries(parse(text, '&', '=', { maxKeys: 200 })));
}

export interface Upload {
  readonly values: Values;
  /** Null when none was chosen. */
  readonly file: Uint8Array | null;
}

async function parseMultipart(bytes: Buffer<ArrayBuffer>, contentType: string): Promise<Upload> {
  let data: FormData;
  try {
    data = await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw new PageFailure('badRequest');
  }
  const file = data.get('file');
  const chosen = file instanceof File && file.size > 0 ? file : null;
  return { values: flat(data), file: chosen === null ? null : await chosen.bytes() };
}

/**
 * Reads a form with a file of up to `megabytes`. Throws PageFailure with 415 for another content type, 400 for a body
 * that is none, what `admit` throws; HttpError 413, and 408 for one that arrives too slowly.
 */
export async function readUpload(
  request: Request,
  megabytes: number,
  admit: Admit,
): Promise<Upload> {
  if (mediaType(request) !== 'multipart/form-data') throw new PageFailure('badRequest', 415);
  return admit(async () => {
    // One more for the boundaries and the other fields.
    const limit = (megabytes + 1) * mebibyte;
    const bytes = await readBytes(request, limit, uploadSeconds, uploadPace);
    // readBytes concatenates into memory of its own, which is never shared.
    const own = bytes as Buffer<ArrayBuffer>;
    return parseMultipart(own, request.headers['content-type'] ?? '');
  });
}
