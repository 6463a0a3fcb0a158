import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { portOwner } from '../../../dev/stack/port-owner.ts';
import { busyPort } from '../../../dev/stack/ports.ts';

const needed = (port: number) => [{ port, variable: 'SMTP_PORT', what: 'the mailbox' }];

test('a busy port names who listens there and the variable to set', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const owner = portOwner(port);
  expect(owner).toEqual({ pid: process.pid, name: basename(process.execPath) });
  expect(await busyPort(needed(port), '127.0.0.1')).toBe(
    `port ${port} for the mailbox is in use by ${owner?.name ?? ''} (pid ${process.pid}): stop what uses it, or set SMTP_PORT to another port`,
  );
  server.close();
  await once(server, 'close');
  expect(portOwner(port)).toBeNull();
  expect(await busyPort(needed(port), '127.0.0.1')).toBeNull();
});

test('an address that is not of this machine is a fault of HOST', async () => {
  expect(await busyPort(needed(0), '192.0.2.1')).toBe(
    '192.0.2.1 is no address of this machine: set HOST to one that is',
  );
});

test('two parts cannot have one port', async () => {
  const twin = { port: 4000, variable: 'PORT', what: 'the API' };
  expect(await busyPort([twin, ...needed(4000)], '127.0.0.1')).toBe(
    'port 4000 is wanted twice: set PORT or SMTP_PORT to another',
  );
});
