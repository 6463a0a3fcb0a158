import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { readDevConfig } from '../../../dev/stack/config.ts';
import { portFault } from '../../../dev/stack/ports.ts';
import { neededPorts } from '../../../dev/stack/services.ts';

const ports = (env: NodeJS.ProcessEnv): string[] =>
  neededPorts(readDevConfig(env)).map(({ variable, port }) => `${variable} ${port}`);

test('one PORT moves all ports', () => {
  expect(ports({ PORT: '4000' })).toEqual([
    'PORT 4000',
    'SIMULATOR_PORT 4001',
    'MAILBOX_PORT 4002',
    'SMTP_PORT 4025',
    'METRICS_PORT 4003',
    'METRICS_PORT 4004',
  ]);
  const { environment } = readDevConfig({ PORT: '4000' });
  expect(environment).toMatchObject({
    SIMULATOR_URL: 'http://127.0.0.1:4001',
    SIMULATOR_WEBHOOK_URL: 'http://127.0.0.1:4000/provider-webhooks/simulator',
    SMTP_URL: 'smtp://127.0.0.1:4025',
    PUBLIC_URL: 'http://localhost:4000',
  });
});

test('a port that is set stays', () => {
  const given = ports({ MAILBOX_PORT: '5000', SMTP_PORT: '' });
  expect(given).toEqual(
    expect.arrayContaining(['PORT 3000', 'MAILBOX_PORT 5000', 'SMTP_PORT 3025']),
  );
});

test('a malformed port is told by its name', () => {
  expect(() => readDevConfig({ PORT: 'http' })).toThrow('PORT: ');
  expect(() => readDevConfig({ MAILBOX_PORT: 'x' })).toThrow("The mailbox's settings are invalid");
  expect(() => readDevConfig({ PORT: '65530' })).toThrow('SMTP_PORT');
});

test('a busy port names the variable to set', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const needed = [{ port, variable: 'SMTP_PORT' }];
  expect(await portFault(needed, '127.0.0.1')).toBe(
    `port ${port} is in use: stop what uses it, or set SMTP_PORT to another port`,
  );
  server.close();
  await once(server, 'close');
  expect(await portFault(needed, '127.0.0.1')).toBeNull();
});

test('an address that is not of this machine is told', async () => {
  expect(await portFault([{ port: 0, variable: 'PORT' }], '192.0.2.1')).toBe(
    '192.0.2.1, port 0: EADDRNOTAVAIL. Set HOST or PORT.',
  );
});
