import { expect, it } from 'vitest';
import { mailWarning } from '../../src/process/no-mail.ts';
import { healthParts } from '../../src/process/health.ts';
import { loadConfig, type Config } from '../../src/process/config.ts';

type Watched = Parameters<typeof healthParts>[0];

/** What stands under `warnings` of /readyz with these settings, where the last reading of the keys had this fault. */
function warningsOf(config: Config, fault: string | null): string[] {
  const none = () => null;
  const watched = {
    config,
    keys: { problem: none, unread: () => fault },
    clock: { problem: none },
    room: { problem: none },
  } as unknown as Watched;
  return healthParts(watched).flatMap((part) => part.warning?.() ?? []);
}

const config = loadConfig({ NODE_ENV: 'test' });
const production: Config = { ...config, NODE_ENV: 'production' };

it('warns of production without a mail server', () => {
  expect(warningsOf(production, null)).toEqual([mailWarning(production)]);
  expect(mailWarning(production)).toMatch(/^SMTP_URL is not set: .* no registration can be proven/);
  expect(warningsOf({ ...production, SMTP_URL: 'smtps://mail.example.com' }, null)).toEqual([]);
  expect(warningsOf(config, null)).toEqual([]);
});

it('says why new encryption keys are not taken', () => {
  expect(warningsOf(config, 'ENCRYPTION_KEYS: the key k1 is not in the keyring')).toEqual([
    'the encryption keys could not be read again; the ones before stay in use: ENCRYPTION_KEYS: the key k1 is not in the keyring',
  ]);
});
