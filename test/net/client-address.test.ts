import { expect, test } from 'vitest';
import { addressGroup, clientAddress } from '../../src/net/client-address.ts';

const proxy = '10.0.0.9';

test.each([
  // socket, X-Forwarded-For, trusted proxies, client
  ['192.0.2.1', undefined, 0, '192.0.2.1'],
  ['192.0.2.1', '198.51.100.7', 0, '192.0.2.1'],
  ['::ffff:192.0.2.1', undefined, 0, '192.0.2.1'],
  ['2001:DB8::1', undefined, 0, '2001:db8::1'],
  [undefined, undefined, 0, 'unknown'],
  [proxy, '198.51.100.7', 1, '198.51.100.7'],
  [proxy, '1.1.1.1, 2.2.2.2, 198.51.100.7', 1, '198.51.100.7'],
  [proxy, '1.1.1.1, 198.51.100.7,10.0.0.8', 2, '198.51.100.7'],
  [proxy, '198.51.100.7', 3, '198.51.100.7'],
  [proxy, '1.1.1.1, [2001:db8::7]:4711', 1, '2001:db8::7'],
  [proxy, '198.51.100.7:4711', 1, '198.51.100.7'],
  [proxy, '::ffff:198.51.100.7', 1, '198.51.100.7'],
  [proxy, 'unknown', 1, proxy],
  [proxy, '198.51.100.7,', 1, proxy],
  [proxy, '', 1, proxy],
  [proxy, undefined, 1, proxy],
])('socket %s, X-Forwarded-For %s, %i proxies: %s', (socket, header, proxies, client) => {
  expect(clientAddress(socket, header, proxies)).toBe(client);
});

test('an IPv4 address is one client, and so is a /64 of IPv6', () => {
  expect(addressGroup('192.0.2.1')).toBe('192.0.2.1');
  expect(addressGroup('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(addressGroup('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
  expect(addressGroup('2001:db8:1:2::1')).toBe('2001:db8:1:2::/64');
  expect(addressGroup('2001:db8:1:3::1')).not.toBe(addressGroup('2001:db8:1:2::1'));
  expect(addressGroup('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
  expect(addressGroup('unknown')).toBe('unknown');
});
