/** What a person who has started everything is told. */
export interface Facts {
  readonly baseUrl: string;
  readonly mailboxUrl: string;
  readonly metricsUrl: string;
  readonly databaseUrl: string;
  readonly key: string;
  /** Signs the owner of the demo business in, once. */
  readonly signInUrl: string;
}

/** The pages worth opening, the key and a first call. */
export function banner(facts: Facts): string {
  const { baseUrl, mailboxUrl, metricsUrl, databaseUrl, key, signInUrl } = facts;
  const pages = [
    [`${baseUrl}/console`, 'the console; the link below signs you in as the owner'],
    [`${baseUrl}/graphql`, 'GraphiQL, with your sandbox key and examples'],
    [`${baseUrl}/docs`, 'guides, the reference of the API and every error code'],
    [mailboxUrl, 'the mailbox: every mail, with the links to hosted forms'],
    [metricsUrl, 'what Prometheus would read'],
  ] as const;
  const width = Math.max(...pages.map(([url]) => url.length));
  return [
    '',
    '  Pages worth opening',
    ...pages.map(([url, what]) => `    ${url.padEnd(width)}  ${what}`),
    '',
    '  Sign in, once, within a day',
    `    ${signInUrl}`,
    '',
    `  API          ${baseUrl}/v1`,
    `  Database     psql '${databaseUrl}'`,
    `  Sandbox key  ${key}`,
    '',
    '  A first call',
    `    curl -H 'Authorization: Bearer ${key}' ${baseUrl}/v1/funding/account`,
    '',
    '  Enter shows this again with a new link, and `npm run key` prints the key. Ctrl-C stops everything.',
    '',
    '',
  ].join('\n');
}

/** The last words, with what is needed after the next start. */
export const farewell = (dataDir: string, key: string): string =>
  `\n  Stopped. The data stays in ${dataDir}, and so does the sandbox key:\n  ${key}\n\n`;
