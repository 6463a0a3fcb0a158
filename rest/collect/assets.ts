import { readFileSync } from 'node:fs';
import { Router } from 'express';
import { sheetOf, versionOf } from './brand.ts';
import { only } from './only.ts';

const types: Readonly<Record<string, string>> = {
  'style.css': 'text/css; charset=utf-8',
  'form.css': 'text/css; charset=utf-8',
  'form.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

interface Asset {
  readonly bytes: Buffer;
  readonly type: string;
  readonly version: string;
}

function readAssets(): ReadonlyMap<string, Asset> {
  return new Map(
    Object.entries(types).map(([file, type]): [string, Asset] => {
      const bytes = readFileSync(new URL(`assets/${file}`, import.meta.url));
      return [file, { bytes, type, version: versionOf(bytes) }];
    }),
  );
}

function brandAsset(file: string): Asset | undefined {
  const sheet = sheetOf(file);
  if (sheet === null) return undefined;
  const bytes = Buffer.from(sheet);
  return { bytes, type: 'text/css; charset=utf-8', version: versionOf(bytes) };
}

/**
 * The style sheets, the script and the icon of the pages. Their addresses carry a digest of the
 * content, so a browser may keep them without a limit. A request with another digest, as during an
 * upgrade, gets the present file, which the browser may not keep.
 */
export function createAssets(): { router: Router; versions: ReadonlyMap<string, string> } {
  const assets = readAssets();
  const router = Router({ caseSensitive: true, strict: true });
  router.all('/:file', only('GET', 'HEAD'));
  router.get('/:file', (request, response, next) => {
    const asset = assets.get(request.params.file) ?? brandAsset(request.params.file);
    if (asset === undefined) {
      next();
      return;
    }
    const current = request.query['v'] === asset.version;
    response.setHeader(
      'Cache-Control',
      current ? 'public, max-age=31536000, immutable' : 'no-cache',
    );
    response.setHeader('Content-Type', asset.type);
    response.end(request.method === 'HEAD' ? undefined : asset.bytes);
  });
  return { router, versions: new Map([...assets].map(([file, { version }]) => [file, version])) };
}
