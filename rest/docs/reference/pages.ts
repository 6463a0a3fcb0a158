import { html, type Html } from '../../../src/values/html.ts';
import type { OperationAddresses } from '../links.ts';
import { unnamed } from '../links.ts';
import { renderMarkdown, renderText } from '../markdown.ts';
import { anchorOf, plainText, type SearchEntry, type DocPage } from '../page.ts';
import { methods, type ApiDocument } from './document.ts';
import { eventSection, operationSection, type Placed } from './operation.ts';
import type { Drawing } from './schema.ts';

/** A page of the reference: the operations of one tag, or the events of the webhooks. */
export interface Group {
  readonly path: string;
  readonly title: string;
  readonly description: string | null;
  readonly placed: readonly Placed[];
  readonly kind: 'operations' | 'events';
}

function placedIn(items: ApiDocument['paths']): Placed[] {
  return Object.entries(items).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const id = operation.operationId ?? anchorOf(path);
      return [{ id, method, path, operation }];
    }),
  );
}

/** By path; where several operations have one path, in the order of `methods`. */
const byPath = (one: Placed, other: Placed): number =>
  one.path === other.path ? 0 : one.path < other.path ? -1 : 1;

/** The pages of a document in the order of its tags; the events come last. */
export function groupsOf(document: ApiDocument): readonly Group[] {
  const all = placedIn(document.paths);
  const named = document.tags ?? [];
  const tags = new Set([
    ...named.map(({ name }) => name),
    ...all.flatMap(({ operation }) => operation.tags?.slice(0, 1) ?? []),
  ]);
  const operations = [...tags].map((title): Group => {
    const path = `/docs/reference/${anchorOf(title)}`;
    const description = named.find(({ name }) => name === title)?.description ?? null;
    const placed = all.filter(({ operation }) => operation.tags?.[0] === title).toSorted(byPath);
    return { path, title, description, placed, kind: 'operations' };
  });
  const events = placedIn(document.webhooks ?? {});
  const sent: Group = {
    path: '/docs/reference/events',
    title: 'Events',
    description: 'What the service sends to your webhook endpoint.',
    placed: events,
    kind: 'events',
  };
  return [...operations, sent].filter(({ placed }) => placed.length > 0);
}

/** Where each operation is described. */
export function addressesOf(groups: readonly Group[]): OperationAddresses {
  return new Map(
    groups.flatMap(({ path: page, placed, kind }) =>
      kind === 'events'
        ? []
        : placed.map(({ method, path, id }): [string, string] => [
            unnamed(`${method.toUpperCase()} ${path}`),
            `${page}#${id}`,
          ]),
    ),
  );
}

/** An event is known by its type, an operation by what it does. */
function titleOf(kind: Group['kind'], { id, path, operation }: Placed): string {
  return kind === 'events' ? path : (operation.summary ?? id);
}

function entryOf({ path: page, kind, title: of }: Group, placed: Placed): SearchEntry {
  const { id, method, path, operation } = placed;
  const call = kind === 'events' ? (operation.summary ?? id) : `${method.toUpperCase()} ${path}`;
  const text = `${call} ${id} ${plainText(operation.description ?? '')}`;
  return { path: `${page}#${id}`, title: titleOf(kind, placed), of: `${of} · ${call}`, text };
}

/** The operations of a page as a list; from another page the links begin with its address. */
function overview({ placed, kind }: Group, page = ''): Html {
  const rows = placed.map(
    ({ id, method, path, operation }) =>
      html`<li>
        <a href="${page}#${id}"
          ><span class="method ${method}"
            >${kind === 'events' ? 'EVENT' : method.toUpperCase()}</span
          >
          <code>${path}</code></a
        >
        <span class="what">${operation.summary ?? id}</span>
      </li>`,
  );
  return html`<ul class="overview">
    ${rows}
  </ul>`;
}

/** @param server the address of the service, which the samples call */
export function referencePage(drawing: Drawing, group: Group, server: string): DocPage {
  const { title, description, placed, kind, path } = group;
  const sections = placed.map((one) =>
    kind === 'events' ? eventSection(drawing, one) : operationSection(drawing, one, server),
  );
  return {
    path,
    title,
    summary: description ?? `${placed.length} operations`,
    content: html`${
      description === null
        ? null
        : html`<div class="lead">${renderText(description, drawing.links)}</div>`
    }
    ${overview(group)} ${sections}`,
    headings: placed.map((one) => ({ id: one.id, text: titleOf(kind, one), level: 2 })),
    entries: placed.map((one) => entryOf(group, one)),
    markdown: null,
    wide: true,
  };
}

/**
 * The first page of the reference: what the document says of itself, and every operation in one list.
 */
export function referenceIndex(
  { document, links }: Drawing,
  groups: readonly Group[],
  server: string,
): DocPage {
  const path = '/docs/reference';
  const { version, description = '' } = document.info;
  const about = renderMarkdown(path, `# API reference\n\n${description}`, links);
  const lists = groups.map((group) => {
    const id = `list-${anchorOf(group.title)}`;
    return html`<section aria-labelledby="${id}">
      <h3 id="${id}"><a href="${group.path}">${group.title}</a></h3>
      ${overview(group, group.path)}
    </section>`;
  });
  return {
    ...about,
    path,
    content: html`${about.content}
      <p>
        The base URL is <code>${server}</code>, the version <code>${version}</code>. The same as a
        file: <a href="/v1/openapi.json">openapi.json</a>.
      </p>
      <h2 id="all-operations"><a class="anchor" href="#all-operations">All operations</a></h2>
      ${lists}`,
    headings: [...about.headings, { id: 'all-operations', text: 'All operations', level: 2 }],
    entries: about.entries.map((entry) => ({ ...entry, of: about.title })),
    markdown: null,
    wide: false,
  };
}
