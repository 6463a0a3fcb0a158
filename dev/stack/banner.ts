/** Addresses and the key, for a person who has just started everything. */
export function banner(facts: {
  baseUrl: string;
  mailboxUrl: string;
  databaseUrl: string;
  key: string;
}): string {
  const { baseUrl, mailboxUrl, databaseUrl, key } = facts;
  return [
    '',
    `  API          ${baseUrl}/v1`,
    `  GraphiQL     ${baseUrl}/graphql`,
    `  Mailbox      ${mailboxUrl}`,
    `  Database     psql '${databaseUrl}'`,
    `  Sandbox key  ${key}`,
    '',
    `  curl -H 'Authorization: Bearer ${key}' ${baseUrl}/v1/funding/account`,
    '',
    '  Ctrl-C stops everything.',
    '',
    '',
  ].join('\n');
}
