import { Router } from 'express';
import { assetOf, readAssets, sendAsset, type Asset } from '../look/asset.ts';
import { sheetOf } from './brand.ts';
import { only } from './only.ts';

const files = ['style.css', 'form.css', 'form.js', 'icon.svg'];

function brandAsset(file: string): Asset | undefined {
  const sheet = sheetOf(file);
  return sheet === null ? undefined : assetOf(sheet, 'text/css; charset=utf-8');
}

/** The style sheets, the script and the icon of the pages. */
export function createAssets(): { router: Router; versions: ReadonlyMap<string, string> } {
  const assets = readAssets(new URL('assets/', import.meta.url), files);
  const router = Router({ caseSensitive: true, strict: true });
  router.all('/:file', only('GET', 'HEAD'));
  router.get('/:file', (request, response, next) => {
    const asset = assets.get(request.params.file) ?? brandAsset(request.params.file);
    if (asset === undefined) next();
    else sendAsset(request, response, asset);
  });
  return { router, versions: new Map([...assets].map(([file, { version }]) => [file, version])) };
}
