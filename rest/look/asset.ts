import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Request, Response } from 'express';

/** A file of the pages, with a digest of its content for its address. */
export interface Asset {
  readonly bytes: Buffer;
  readonly type: string;
  readonly version: string;
}

/** What the address of an asset carries, so that it may be kept for good. */
export function versionOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 16);
}

export function assetOf(content: string | Buffer, type: string): Asset {
  const bytes = Buffer.from(content);
  return { bytes, type, version: versionOf(bytes) };
}

/** The colours and the text of every page; a style sheet of pages begins with it. */
const look = new URL('look.css', import.meta.url);

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/**
 * Reads the files of a folder by name. `style.css` is the common look followed by the folder's own
 * frame, so that a page needs one request for both.
 */
export function readAssets(folder: URL, names: readonly string[]): ReadonlyMap<string, Asset> {
  return new Map(
    names.map((name): [string, Asset] => {
      const own = readFileSync(new URL(name, folder));
      const bytes = name === 'style.css' ? Buffer.concat([readFileSync(look), own]) : own;
      return [name, assetOf(bytes, types[name.split('.').at(-1) ?? ''] ?? 'text/plain')];
    }),
  );
}

/**
 * Answers with an asset. Its address carries its version, so a browser may keep it without a limit.
 * A request with another version, as during an upgrade, gets the present file, which the browser may
 * not keep.
 */
export function sendAsset(request: Request, response: Response, asset: Asset): void {
  const current = request.query['v'] === asset.version;
  response.setHeader('Cache-Control', current ? 'public, max-age=31536000, immutable' : 'no-cache');
  response.setHeader('Content-Type', asset.type);
  response.end(request.method === 'HEAD' ? undefined : asset.bytes);
}
