import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import {
  checkedAddresses,
  createPublicLookup,
  LookupError,
  RefusedTargetError,
} from '../../src/net/resolve.ts';

const options = { allowedHosts: [], timeoutMs: 5_000 };
const answering = (...addresses: string[]) => ({ ...options, lookup: async () => addresses });

describe('checkedAddresses', () => {
  it('gives all addresses of a public name', async () => {
    const addresses = ['93.184.216.34', '2606:2800:220:1::1'];
    expect(await checkedAddresses('example.com', answering(...addresses))).toEqual(addresses);
  });

  it('asks for the name in lower case and without a trailing dot', async () => {
    const asked: string[] = [];
    const lookup = async (hostname: string): Promise<string[]> => {
      asked.push(hostname);
      return ['1.1.1.1'];
    };
    await checkedAddresses('Example.COM.', { ...options, lookup });
    expect(asked).toEqual(['example.com']);
  });

  it('refuses all for one that is not public, and says why without naming it', async () => {
    const checked = checkedAddresses('example.com', answering('1.1.1.1', '10.1.2.3'));
    await expect(checked).rejects.toThrow(RefusedTargetError);
    await expect(checked).rejects.toThrow(
      'example.com has an address that is not public (private).',
    );
  });

  it('takes literals without a lookup', async () => {
    const lookup = async (): Promise<string[]> => {
      throw new Error('must not be asked');
    };
    expect(await checkedAddresses('8.8.8.8', { ...options, lookup })).toEqual(['8.8.8.8']);
    const ipv6 = await checkedAddresses('[2606:4700::1111]', { ...options, lookup });
    expect(ipv6).toEqual(['2606:4700::1111']);
    for (const host of ['127.0.0.1', '[::1]', '[::ffff:a00:1]']) {
      await expect(checkedAddresses(host, { ...options, lookup })).rejects.toThrow(
        RefusedTargetError,
      );
    }
  });

  it('lets an allowed host be local, as this machine resolves it', async () => {
    const addresses = await checkedAddresses('localhost', {
      ...options,
      allowedHosts: ['localhost'],
    });
    expect(addresses).toContain('127.0.0.1');
  });

  it('wants IP literals even from an allowed host', async () => {
    const allowed = { ...answering('0x7f.1'), allowedHosts: ['a.test'] };
    await expect(checkedAddresses('a.test', allowed)).rejects.toThrow(RefusedTargetError);
  });

  it.each([
    [
      'fails',
      async () => Promise.reject(Object.assign(new Error('x'), { code: 'ESERVFAIL' })),
      'ESERVFAIL',
    ],
    ['finds nothing', async () => [], 'no address'],
    ['takes too long', () => new Promise<never>(() => {}), 'within 20 ms'],
  ])('rejects with LookupError when the lookup %s', async (_what, lookup, message) => {
    const checked = checkedAddresses('a.test', { ...options, timeoutMs: 20, lookup });
    await expect(checked).rejects.toThrow(LookupError);
    await expect(checked).rejects.toThrow(message);
  });
});

/** Record types of DNS (RFC 1035, RFC 3596) and the codes of answers. */
const [typeA, typeAaaa, noError, nameError] = [1, 28, 0, 3];

/** A name server that knows one name's records: `null` for none of that name at all. */
async function startNameServer(records: {
  a: readonly number[][] | null;
  aaaa: readonly number[][] | null;
}): Promise<Socket> {
  const server = createSocket('udp4');
  server.on('message', (query, { port, address }) => {
    const end = query.indexOf(0, 12) + 5;
    const type = query.readUInt16BE(end - 4);
    const known = type === typeA ? records.a : type === typeAaaa ? records.aaaa : [];
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (known === null ? nameError : noError), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(known?.length ?? 0, 6);
    const answers = (known ?? []).map((data) =>
      Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length, ...data]),
    );
    server.send(Buffer.concat([header, query.subarray(12, end), ...answers]), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe('createPublicLookup', () => {
  let server: Socket | undefined;
  afterEach(() => server?.close());

  async function lookUp(
    records: Parameters<typeof startNameServer>[0],
  ): Promise<readonly string[]> {
    server = await startNameServer(records);
    const servers = [`127.0.0.1:${server.address().port}`];
    return createPublicLookup({ servers, timeoutMs: 2_000 })('hooks.example.com');
  }

  it('gives IPv4 and IPv6 addresses', async () => {
    const ipv6 = [0x26, 0x06, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x11];
    const addresses = await lookUp({
      a: [
        [1, 1, 1, 1],
        [10, 0, 0, 1],
      ],
      aaaa: [ipv6],
    });
    expect(addresses).toHaveLength(3);
    expect(addresses).toEqual(expect.arrayContaining(['1.1.1.1', '10.0.0.1', '2606:4700::1111']));
  });

  it('is content with one family', async () => {
    expect(await lookUp({ a: [[1, 1, 1, 1]], aaaa: [] })).toEqual(['1.1.1.1']);
  });

  it('rejects with the code of the answer where there is no such name', async () => {
    await expect(lookUp({ a: null, aaaa: null })).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });
});
