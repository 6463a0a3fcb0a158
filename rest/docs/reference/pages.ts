import { html, type Html } from '../../../src/values/html.ts';
import type { OperationAddresses } from '../links.ts';
import { unnamed } from '../links.ts';
import { anchorOf, plainText, type Entry, type Page } from '../page.ts';
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

function entryOf(page: Group, { id, method, path, operation }: Placed): Entry {
  const title = operation.summary ?? id;
  const call = page.kind === 'events' ? path : `${method.toUpperCase()} ${path}`;
  const text = `${call} ${id} ${plainText(operation.description ?? '')}`;
  return { path: `${page.path}#${id}`, title, of: `${page.title} · ${call}`, text };
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
export function referencePage(drawing: Drawing, group: Group, server: string): Page {
  const { title, description, placed, kind, path } = group;
  const sections = placed.map((one) =>
    kind === 'events' ? eventSection(drawing, one) : operationSection(drawing, one, server),
  );
  return {
    path,
    title,
    summary: description ?? `${placed.length} operations`,
    content: html`${description === null ? null : html`<p class="lead">${description}</p>`}
    ${overview(group)} ${sections}`,
    headings: [],
    entries: placed.map((one) => entryOf(group, one)),
    markdown: null,
    wide: true,
  };
}

/** The first page of the reference: how to call, and every operation in one list. */
export function referenceIndex(
  document: ApiDocument,
  groups: readonly Group[],
  server: string,
): Page {
  const sections = groups.map(
    (group) =>
      html`<section>
        <h2><a href="${group.path}">${group.title}</a></h2>
        ${overview(group, group.path)}
      </section>`,
  );
  return {
    path: '/docs/reference',
    title: 'API reference',
    summary: document.info.description ?? 'Every operation of the API.',
    content: html`<p class="lead">${document.info.description ?? ''}</p>
      <p>
        The base URL is <code>${server}</code>, the version <code>${document.info.version}</code>.
        Every call but the registration has the header <code>Authorization: Bearer $API_KEY</code>.
        The same as a file: <a href="/v1/openapi.json">openapi.json</a>.
      </p>
      ${sections}`,
    headings: [],
    entries: [],
    markdown: null,
    wide: false,
  };
}
