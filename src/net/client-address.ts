import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address as a proxy may write it: `[2001:db8::1]:443`, `192.0.2.1:80`, or bare. */
function parseAddress(text: string): string | null {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  const withoutPort = /^([\d.]+):\d+$/.exec(text)?.[1];
  const address = bracketed ?? withoutPort ?? text;
  return isIP(address) === 0 ? null : canonical(address);
}

/** IPv4 inside IPv6 is the IPv4 address; a dual-stack socket shows every IPv4 client that way. */
function canonical(address: string): string {
  // A zone names an interface of this machine, not another client.
  const parsed = ipaddr.parse(address.replace(/%.*$/, ''));
  return parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()
    ? parsed.toIPv4Address().toString()
    : parsed.toString();
}

/**
 * The address of the client behind `trustedProxies` proxies. Each proxy appends the address that
 * called it to X-Forwarded-For. Counted from the right, entry number `trustedProxies` was therefore
 * written by the outermost trusted proxy; entries to the left of it are the client's own claims. With
 * fewer entries the leftmost one counts, since the request did not pass the outer proxies. Without
 * proxies, without the header, or with an entry that is no address, the result is the socket's
 * address.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  const socket = parseAddress(socketAddress ?? '') ?? 'unknown';
  if (trustedProxies === 0 || forwardedFor === undefined) return socket;
  const entries = forwardedFor.split(',').map((entry) => entry.trim());
  const entry = entries[Math.max(0, entries.length - trustedProxies)] ?? '';
  return parseAddress(entry) ?? socket;
}

/**
 * What counts as one client: an IPv4 address, or the /64 of an IPv6 address, since a subscriber is
 * given at least that many addresses to choose from.
 */
export function addressGroup(address: string): string {
  if (isIP(address) !== 6) return address;
  const parsed = ipaddr.IPv6.parse(address.replace(/%.*$/, ''));
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

/**
 * The network of an address, for people who look at where somebody signed in: of IPv4 the /24, of IPv6 the
 * /64. It says which company or town, and not which machine.
 */
export function networkOf(address: string): string | null {
  if (isIP(address) === 0) return null;
  const group = addressGroup(address);
  return group.includes(':') ? group : `${group.split('.').slice(0, 3).join('.')}.0/24`;
}
