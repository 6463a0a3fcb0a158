import { readBuilt } from '../look/built.ts';
import { escapeHtml } from '../../src/values/html.ts';
import { assetOf, readAssets, type Asset } from '../look/asset.ts';
import { layout, type Frame, type NavigationGroup } from './layout.ts';
import type { SearchEntry } from './page.ts';
import { searchPage } from './search.ts';

/** What is answered at a path: the HTML of a page, or its Markdown under `<path>.md`. */
export type BuiltDocument = readonly [path: string, type: string, text: string];

/** The pages as `npm ci` and the image have made them (tools/site). */
export interface BuiltSite {
  readonly documents: readonly BuiltDocument[];
  readonly entries: readonly SearchEntry[];
  readonly navigation: readonly NavigationGroup[];
}

/** Everything that is served under /docs. */
export interface Site {
  readonly documents: ReadonlyMap<string, Asset>;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly search: (question: string) => string;
  readonly notFound: string;
}

export const htmlType = 'text/html; charset=utf-8';

/** Where the service is, in pages that are made before that is known. */
export const anyServer = 'https://payouts.invalid';

const files = ['style.css', 'content.css', 'code.css', 'docs.js', 'icon.svg'];

/** The files that pages name. */
export const siteAssets = (): ReadonlyMap<string, Asset> =>
  readAssets(new URL('assets/', import.meta.url), files);

export const frameOf = (
  navigation: readonly NavigationGroup[],
  assets: ReadonlyMap<string, Asset>,
): Frame => ({
  navigation,
  asset: (name) => `/docs/assets/${name}?v=${assets.get(name)?.version ?? ''}`,
});

/**
 * The built site of a service.
 * @param server the public address of the service, which the samples call
 */
export function siteOf({ documents, entries, navigation }: BuiltSite, server: string): Site {
  const placed = (text: string): string => text.replaceAll(anyServer, () => server);
  const placedHtml = (text: string): string => text.replaceAll(anyServer, () => escapeHtml(server));
  const assets = siteAssets();
  const frame = frameOf(navigation, assets);
  const missing = { ...searchPage(entries, ''), path: '', title: 'There is no such page' };
  return {
    documents: new Map(
      documents.map(([path, type, text]) => [
        path,
        assetOf(type === htmlType ? placedHtml(text) : placed(text), type),
      ]),
    ),
    assets,
    search: (question) => placedHtml(layout(frame, searchPage(entries, question), question)),
    notFound: layout(frame, missing),
  };
}

/** The site of a service, as it was built. */
export async function loadSite(server: string): Promise<Site> {
  return siteOf(JSON.parse(await readBuilt('site.json')) as BuiltSite, server); // tools/site wrote it
}
