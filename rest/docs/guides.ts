import { readFileSync } from 'node:fs';

export interface Guide {
  /** Last part of the address `/docs/guides/<slug>`. */
  readonly slug: string;
  /** The Markdown, from the root of the repository. Its first heading is the title. */
  readonly file: string;
}

/** The guides in the order of the navigation. A page of docs/ is served as soon as it stands here. */
export const guideGroups: Readonly<Record<string, readonly Guide[]>> = {
  'Get started': [
    { slug: 'quickstart', file: 'docs/guides/quickstart.md' },
    { slug: 'typescript-client', file: 'client/README.md' },
    { slug: 'sandbox', file: 'docs/guides/sandbox.md' },
    { slug: 'going-to-production', file: 'docs/guides/going-to-production.md' },
    { slug: 'signing-in', file: 'docs/signing-in.md' },
  ],
  'Core concepts': [
    { slug: 'payouts', file: 'docs/guides/payouts.md' },
    { slug: 'ledger', file: 'docs/ledger.md' },
    { slug: 'idempotency', file: 'docs/guides/idempotency.md' },
    { slug: 'paging-and-polling', file: 'docs/guides/paging-and-polling.md' },
    { slug: 'errors', file: 'docs/guides/errors.md' },
  ],
  'Events and graphs': [
    { slug: 'webhooks', file: 'docs/webhooks.md' },
    { slug: 'graphql', file: 'docs/guides/graphql.md' },
    { slug: 'dashboards', file: 'docs/dashboards.md' },
  ],
  'The small print': [
    { slug: 'interface', file: 'docs/interface.md' },
    { slug: 'limits', file: 'docs/limits.md' },
    { slug: 'state-machine', file: 'docs/state-machine.md' },
    { slug: 'personal-data', file: 'docs/personal-data.md' },
    { slug: 'glossary', file: 'docs/glossary.md' },
    { slug: 'versioning', file: 'docs/guides/versioning.md' },
    { slug: 'changelog', file: 'CHANGELOG.md' },
  ],
};

/** Programs that a guide leads to, from the root of the repository. Each is served at its own path. */
export const programs: readonly string[] = ['mjs', 'py', 'go', 'php', 'rb'].map(
  (ending) => `docs/verifiers/verify.${ending}`,
);

const root = new URL('../../', import.meta.url);

export const guides: readonly Guide[] = Object.values(guideGroups).flat();

export const guidePath = (slug: string): string => `/docs/guides/${slug}`;

/** Where a service is that was started on the reader's own machine with no other port. */
const localServer = 'http://localhost:3000';

/** The text of a file of the repository. */
export const readText = (file: string): string =>
  readFileSync(new URL(file, root), 'utf8').replaceAll('\r\n', '\n');

/**
 * The Markdown of a guide. What it calls is the service that shows it.
 * @param server the public address of the service
 */
export function readGuide({ file }: Guide, server: string): string {
  return readText(file).replaceAll(localServer, () => server);
}
