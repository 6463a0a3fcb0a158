import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyAddress } from '../../src/net/address.ts';

/** First and last address of each refused range, and its neighbours outside. */
const refused: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0', '127.0.0.1', '127.255.255.255', '::1', '::ffff:127.0.0.1'],
  private: [
    '10.0.0.0',
    '10.255.255.255',
    '172.16.0.0',
    '172.31.255.255',
    '192.168.0.0',
    '192.168.255.255',
    'fc00::',
    'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '::ffff:10.0.0.1',
    '::ffff:a00:1',
    '64:ff9b::10.0.0.1',
  ],
  link_local: ['169.254.0.0', '169.254.255.255', 'fe80::', 'febf::1', 'fe80::1%eth0'],
  metadata: [
    '169.254.169.254',
    '169.254.170.2',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd00:0ec2:0:0:0:0:0:254',
    'fd20:ce::254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
  ],
  multicast: ['224.0.0.0', '239.255.255.255', 'ff00::', 'ff02::1'],
  unspecified: ['0.0.0.0', '0.255.255.255', '::', '::ffff:0.0.0.0'],
  carrier_grade_nat: ['100.64.0.0', '100.127.255.255', '64:ff9b::100.64.0.1'],
  transition: [
    '2002:7f00:1::', // 6to4 of 127.0.0.1
    '2002:808:808::1', // and of 8.8.8.8
    '2001:0:4136:e378:8000:63bf:3fff:fdd2', // Teredo
    '::7f00:1', // IPv4-compatible
    '::8.8.8.8',
    '64:ff9b:1::a00:1',
    '64:ff9b:1:ffff:ffff:ffff:ffff:ffff',
  ],
  reserved: [
    '192.0.0.1',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '198.18.0.0',
    '198.19.255.255',
    '192.88.99.1',
    '240.0.0.0',
    '255.255.255.255',
    '2001:db8::1',
    '3fff::1',
    '2001:2::1', // benchmarking
    '2001:10::1',
    '2001:20::1',
    '100::1', // discard-only
    'fec0::1', // site-local
    '5f00::1',
    '::ffff:0:7f00:1', // IPv4-translated
    '4000::1',
    '1234::1',
  ],
  invalid: [
    '',
    'localhost',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '1.2.3.4.5',
    '[::1]',
    '8.8.8.8 ',
  ],
};

const publicAddresses = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4001::1',
  '2001:4860:4860::8888',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
];

const ipv4 = fc.ipV4();
const [octet, group] = [fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 0xffff })];
const hex = (value: number): string => value.toString(16);

/** IPv4 as the last two groups of IPv6. */
function twoGroups(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
}

describe('classifyAddress', () => {
  for (const [kind, addresses] of Object.entries(refused)) {
    it.each(addresses)(`calls %j ${kind}`, (address) => {
      expect(classifyAddress(address)).toBe(kind);
    });
  }

  it.each(publicAddresses)('calls %s public', (address) => {
    expect(classifyAddress(address)).toBe('public');
  });

  it('judges IPv4 inside IPv6 as IPv4, in every notation', () => {
    fc.assert(
      fc.property(
        ipv4,
        fc.constantFrom('::ffff:', '0:0:0:0:0:FFFF:', '64:ff9b::'),
        (v4, prefix) => {
          expect(classifyAddress(prefix + v4)).toBe(classifyAddress(v4));
          expect(classifyAddress(prefix + twoGroups(v4))).toBe(classifyAddress(v4));
        },
      ),
    );
  });

  it('calls no IPv4 address public whose first octet is private, loopback, multicast or reserved', () => {
    const first = fc.oneof(fc.constantFrom(0, 10, 127), fc.integer({ min: 224, max: 255 }));
    fc.assert(
      fc.property(first, octet, octet, octet, (...octets) => {
        expect(classifyAddress(octets.join('.'))).not.toBe('public');
      }),
    );
  });

  it('calls no IPv6 address public outside 2000::/3, but for mapped and NAT64 ones', () => {
    const outside = group.filter((value) => value >> 13 !== 1 && value !== 0 && value !== 0x64);
    fc.assert(
      fc.property(outside, fc.array(group, { minLength: 7, maxLength: 7 }), (first, rest) => {
        expect(classifyAddress([first, ...rest].map(hex).join(':'))).not.toBe('public');
      }),
    );
  });

  it('refuses every 6to4 and Teredo address, whatever it embeds', () => {
    const prefix = fc.constantFrom('2002:', '2001:0:');
    fc.assert(
      fc.property(prefix, ipv4, group, (start, v4, last) => {
        expect(classifyAddress(`${start}${twoGroups(v4)}::${hex(last)}`)).toBe('transition');
      }),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV6(), fc.ipV4Extended(), fc.domain()), (text) => {
        expect(typeof classifyAddress(text)).toBe('string');
      }),
    );
  });
});
