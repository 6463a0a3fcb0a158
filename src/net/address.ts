import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * What an address is for, as far as it decides whether a webhook may be sent there. Everything but
 * `public` is refused; the names follow the IANA special-purpose address registries.
 */
export type AddressClass =
  | 'public'
  | 'loopback'
  | 'private'
  | 'link_local'
  | 'metadata'
  | 'multicast'
  | 'unspecified'
  | 'carrier_grade_nat'
  | 'transition'
  | 'reserved'
  | 'invalid';

/**
 * Where clouds answer instances that ask for their own credentials. Most lie in ranges that are
 * refused anyway; Azure's 168.63.129.16 is a public address.
 */
const metadataAddresses: ReadonlySet<string> = new Set([
  '169.254.169.254', // AWS, GCP, Azure, OpenStack, DigitalOcean
  '169.254.170.2', // AWS ECS task credentials
  '168.63.129.16', // Azure WireServer
  '100.100.100.200', // Alibaba Cloud
  '192.0.0.192', // Oracle Cloud
  'fd00:ec2::254', // AWS
  'fd20:ce::254', // GCP
]);

/** The global unicast space in use (RFC 4291, section 2.4; IANA allocates from 2000::/3 alone). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** The well-known NAT64 prefix (RFC 6052), which carries an IPv4 address in its last 32 bits. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** IPv4-compatible addresses (RFC 4291, section 2.5.5.1, deprecated); `::` and `::1` among them. */
const ipv4Compatible = ipaddr.IPv6.parseCIDR('::/96');

/** For translators within a network (RFC 8215): where they put the IPv4 address is not defined. */
const localNat64 = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48');

/**
 * The class of an IP literal, as it stands in a URL's host without brackets or in a DNS answer.
 * Only canonical forms count: shorthand such as `127.1` is `invalid`, since two parsers may read it
 * as two addresses. `URL` turns all of them into canonical ones before this is asked. IPv4 inside
 * IPv6, where routers and translators would unpack it, is judged by the IPv4 address.
 */
export function classifyAddress(address: string): AddressClass {
  switch (isIP(address)) {
    case 4:
      return classifyIpv4(ipaddr.IPv4.parse(address));
    case 6:
      // A zone names one of this machine's own links.
      return address.includes('%') ? 'link_local' : classifyIpv6(parseIpv6(address));
    default:
      return 'invalid';
  }
}

function classifyIpv4(address: ipaddr.IPv4): AddressClass {
  if (metadataAddresses.has(address.toString())) return 'metadata';
  switch (address.range()) {
    case 'unicast':
      return 'public';
    case 'loopback':
      return 'loopback';
    case 'private':
      return 'private';
    case 'linkLocal':
      return 'link_local';
    case 'multicast':
      return 'multicast';
    case 'unspecified':
      return 'unspecified';
    case 'carrierGradeNat':
      return 'carrier_grade_nat';
    default:
      return 'reserved';
  }
}

/** ipaddr.js takes `::8.8.8.8` for `::ffff:8.8.8.8`; `URL` writes all of it in hexadecimal first. */
function parseIpv6(address: string): ipaddr.IPv6 {
  return ipaddr.IPv6.parse(new URL(`http://[${address}]`).hostname.slice(1, -1));
}

function classifyIpv6(address: ipaddr.IPv6): AddressClass {
  if (metadataAddresses.has(address.toString())) return 'metadata';
  const range = address.range();
  switch (range) {
    case 'loopback':
      return 'loopback';
    case 'unspecified':
      return 'unspecified';
    case 'linkLocal':
      return 'link_local';
    case 'uniqueLocal':
      return 'private';
    case 'multicast':
      return 'multicast';
    case 'ipv4Mapped':
      return classifyIpv4(address.toIPv4Address());
    // Routed through relays of unknown operators; both are deprecated (RFC 7526) or gone.
    case '6to4':
    case 'teredo':
      return 'transition';
    default:
      break;
  }
  // On a network without IPv4, DNS64 answers this way for every host that has IPv4 alone.
  if (address.match(nat64)) return classifyIpv4(lastIpv4(address));
  if (address.match(ipv4Compatible) || address.match(localNat64)) return 'transition';
  return range === 'unicast' && address.match(globalUnicast) ? 'public' : 'reserved';
}

function lastIpv4(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}
