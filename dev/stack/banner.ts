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
export const banner = (facts: Facts): string => `
  Pages worth opening
    ${facts.baseUrl}/console   the console; the link below signs you in as the owner
    ${facts.baseUrl}/graphql   GraphiQL, with your sandbox key and examples
    ${facts.baseUrl}/docs      guides, the reference of the API and every error code
    ${facts.mailboxUrl}   the mailbox: every mail, with the links to hosted forms
    ${facts.metricsUrl}   what Prometheus would read

  Sign in, once, within a day
    ${facts.signInUrl}

  API          ${facts.baseUrl}/v1
  Database     psql '${facts.databaseUrl}'
  Sandbox key  ${facts.key}

  A first call
    curl -H 'Authorization: Bearer ${facts.key}' ${facts.baseUrl}/v1/funding/account

  Enter shows this again with a new link, and \`npm run key\` prints the key. Ctrl-C stops everything.

`;
