import { errorPage, type NamedOperation } from './errors.ts';
import { frontPage } from './front.ts';
import {
  guideGroups,
  guidePath,
  guides,
  programs,
  readGuide,
  readText,
  type Guide,
} from './guides.ts';
import { layout, type NavigationGroup } from './layout.ts';
import { linksFrom, type OperationAddresses } from './links.ts';
import { renderMarkdown } from './markdown.ts';
import type { DocPage } from './page.ts';
import type { ApiDocument } from './reference/document.ts';
import { operationsByCode } from './reference/errors.ts';
import {
  addressesOf,
  groupsOf,
  referenceIndex,
  referencePage,
  type Group,
} from './reference/pages.ts';
import { frameOf, htmlType, siteAssets, type BuiltDocument, type BuiltSite } from './served.ts';

/** The site with its pages, which nobody keeps once there are documents of them. */
export interface DrawnSite extends BuiltSite {
  readonly pages: readonly DocPage[];
}

function guidePage(guide: Guide, operations: OperationAddresses, server: string): DocPage {
  const path = guidePath(guide.slug);
  const source = readGuide(guide, server);
  const rendered = renderMarkdown(path, source, linksFrom(guide.file, operations));
  const entries = rendered.entries.map((entry) => ({ ...entry, of: rendered.title }));
  return { ...rendered, path, entries, markdown: source, wide: false };
}

function errorReference(document: ApiDocument, groups: readonly Group[]): DocPage {
  const named = new Map(
    groups.flatMap((group) =>
      group.placed.map(({ id, method, path }): [string, NamedOperation] => [
        id,
        { address: `${group.path}#${id}`, call: `${method.toUpperCase()} ${path}` },
      ]),
    ),
  );
  const byCode = operationsByCode(document);
  return errorPage(linksFrom('docs/', addressesOf(groups)), (code) =>
    (byCode.get(code) ?? []).flatMap((id) => named.get(id) ?? []),
  );
}

function navigationOf(pages: readonly DocPage[], groups: readonly Group[]): NavigationGroup[] {
  const titles = new Map(pages.map(({ path, title }) => [path, title]));
  const link = (path: string) => ({ path, title: titles.get(path) ?? path });
  return [
    { title: 'Overview', links: [{ path: '/docs', title: 'Start here' }] },
    ...Object.entries(guideGroups).map(([title, those]) => ({
      title,
      links: those.map(({ slug }) => link(guidePath(slug))),
    })),
    {
      title: 'API reference',
      links: [
        link('/docs/reference'),
        ...groups.map(({ path }) => link(path)),
        link('/docs/errors'),
      ],
    },
  ];
}

/** A list of the pages for programs that read them. @see https://llmstxt.org */
function llmsText(pages: readonly DocPage[], server: string): string {
  const lines = pages
    .filter(({ markdown }) => markdown !== null)
    .map(({ path, title, summary }) => `- [${title}](${server}${path}.md): ${summary}`);
  return [
    '# Payouts API',
    '',
    '> Pay people and companies over REST and GraphQL: payees, bank accounts, approvals, payouts that happen once, signed webhooks.',
    '',
    '## Guides',
    '',
    ...lines,
    '',
    '## Reference',
    '',
    `- [OpenAPI 3.1 document](${server}/v1/openapi.json): every operation, what it takes and answers`,
    '',
  ].join('\n');
}

const markdownType = 'text/markdown; charset=utf-8';
const plainType = 'text/plain; charset=utf-8';

/**
 * Makes every page.
 * @param document the OpenAPI document that the service answers
 * @param server the public address of the service, which the samples call
 */
export function createSite(document: ApiDocument, server: string): DrawnSite {
  const groups = groupsOf(document);
  const operations = addressesOf(groups);
  const drawing = { document, links: linksFrom('docs/', operations) };
  const inner = [
    ...guides.map((guide) => guidePage(guide, operations, server)),
    referenceIndex(drawing, groups, server),
    ...groups.map((group) => referencePage(drawing, group, server)),
    errorReference(document, groups),
  ];
  const navigation = navigationOf(inner, groups);
  const pages = [frontPage(navigation, server), ...inner];
  const entries = pages.flatMap((page) => page.entries);
  const frame = frameOf(navigation, siteAssets());
  const documents = pages.flatMap((page): BuiltDocument[] => [
    [page.path, htmlType, layout(frame, page)],
    ...(page.markdown === null ? [] : [[`${page.path}.md`, markdownType, page.markdown] as const]),
  ]);
  return {
    pages,
    documents: [
      ['/llms.txt', plainType, llmsText(pages, server)],
      ...programs.map((file): BuiltDocument => [`/${file}`, plainType, readText(file)]),
      ...documents,
    ],
    entries,
    navigation,
  };
}
