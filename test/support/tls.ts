import { createAuthority, issueFor, type ServerCertificate } from '../../dev/demo/x509.ts';

export interface TestAuthority {
  /** The authority's own certificate, as PEM, for those who are to trust it. */
  readonly pem: string;
  /** A server certificate for host names and IPv4 addresses; `expired` ended its life an hour ago. */
  issue(
    hosts: readonly string[],
    options?: { readonly expired?: boolean },
  ): Promise<ServerCertificate>;
}

const hourMs = 3_600_000;

/** A certificate authority of a test's own, which nothing else trusts. */
export async function createTestAuthority(commonName = 'Test authority'): Promise<TestAuthority> {
  const authority = await createAuthority(commonName, new Date(Date.now() + 48 * hourMs));
  return {
    pem: authority.certificate,
    issue: (hosts, { expired = false } = {}) =>
      issueFor(authority, hosts, new Date(Date.now() + (expired ? -1 : 24) * hourMs)),
  };
}
