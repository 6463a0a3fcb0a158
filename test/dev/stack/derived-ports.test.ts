import { expect, test } from 'vitest';
import { readDevConfig } from '../../../dev/stack/config.ts';
import { withPorts } from '../../../dev/stack/derived-ports.ts';
import { neededPorts } from '../../../dev/stack/services.ts';

const ports = (env: NodeJS.ProcessEnv): Record<string, number> => {
  const needed = neededPorts(readDevConfig(env));
  return Object.fromEntries(needed.map(({ what, port }) => [what, port]));
};

test('one PORT moves all ports', () => {
  expect(ports({ PORT: '4000' })).toEqual({
    'the API': 4000,
    'the provider simulator': 4001,
    'the mailbox page': 4002,
    "the mailbox's SMTP server": 4025,
    "the API's metrics": 4003,
    "the worker's metrics": 4004,
  });
  const { environment } = readDevConfig({ PORT: '4000' });
  expect(environment).toMatchObject({
    SIMULATOR_URL: 'http://127.0.0.1:4001',
    SIMULATOR_WEBHOOK_URL: 'http://127.0.0.1:4000/provider-webhooks/simulator',
    SMTP_URL: 'smtp://127.0.0.1:4025',
    PUBLIC_URL: 'http://localhost:4000',
  });
});

test('a port that is set stays', () => {
  expect(ports({ MAILBOX_PORT: '5000', SMTP_PORT: '' })).toMatchObject({
    'the API': 3000,
    'the mailbox page': 5000,
    "the mailbox's SMTP server": 3025,
  });
});

test('a PORT that leaves no room for the others is refused, unless they are all set', () => {
  expect(() => withPorts({ PORT: '65530', SMTP_PORT: '1025' })).toThrow(
    'PORT: must be from 1 to 65510, since SIMULATOR_PORT, MAILBOX_PORT, METRICS_PORT follow from it',
  );
  expect(() => withPorts({ PORT: '0' })).toThrow('PORT: must be from 1');
  const all = { SIMULATOR_PORT: '1', MAILBOX_PORT: '2', METRICS_PORT: '3', SMTP_PORT: '4' };
  expect(withPorts({ ...all, PORT: '65530' })).toEqual({ ...all, PORT: '65530' });
  expect(() => readDevConfig({ PORT: 'http' })).toThrow('PORT: ');
  expect(() => readDevConfig({ MAILBOX_PORT: 'x' })).toThrow("The mailbox's settings are invalid");
});
