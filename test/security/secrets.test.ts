import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { loadConfig, settings } from '../../src/process/config.ts';
import { ConfigError } from '../../src/process/settings/setting.ts';
import { readSimulatorConfig } from '../../simulator/config.ts';

/** Settings that a careful operator would give. Each test spoils one of them. */
const sound = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://payouts.example.org',
  ENCRYPTION_KEYS: `k2:${base64(randomBytes(32))},k1:${base64(randomBytes(32))}`,
  SIMULATOR_URL: 'http://simulator:3001',
  SIMULATOR_API_KEY: randomBytes(24).toString('hex'),
  SIMULATOR_WEBHOOK_SECRET: randomBytes(24).toString('base64'),
  PROVIDER: 'gateway',
  PROVIDER_URL: 'https://gateway.example.org/pay',
  PROVIDER_API_KEY: `live_${randomBytes(12).toString('base64url')}`,
  PROVIDER_WEBHOOK_SECRET: `whsec_${randomBytes(24).toString('base64')}`,
};

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/** What production says of one setting; it must name the setting alone and not show its value. */
function refusal(name: string, value: string): string {
  try {
    loadConfig({ ...sound, [name]: value });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const lines = error.message.split('\n').slice(1);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.trim().startsWith(`${name}: `), error.message).toBe(true);
    for (const part of value.split(/[,:]/).filter((text) => text.length > 7)) {
      expect(error.message).not.toContain(part);
    }
    return lines[0]?.trim() ?? '';
  }
  return 'accepted';
}

const defaults = Object.entries(settings).flatMap(([name, entry]) =>
  'developmentOnly' in entry && entry.fallback !== null ? [[name, entry.fallback] as const] : [],
);
const secrets = [
  'SIMULATOR_API_KEY',
  'SIMULATOR_WEBHOOK_SECRET',
  'PROVIDER_API_KEY',
  'PROVIDER_WEBHOOK_SECRET',
];

it('production starts with settings that are sound, a hundred times', () => {
  for (let times = 0; times < 100; times += 1) {
    const ring = `k1:${base64(randomBytes(32))}`;
    expect(refusal('ENCRYPTION_KEYS', ring)).toBe('accepted');
    for (const name of secrets) {
      expect(refusal(name, randomBytes(8).toString('hex'))).toBe('accepted');
      expect(refusal(name, randomBytes(24).toString('base64'))).toBe('accepted');
    }
  }
});

describe('a key of the ring', () => {
  const developmentKey = settings.ENCRYPTION_KEYS.fallback.split(':')[1] ?? '';
  const other = base64(randomBytes(32));

  it.each([
    ['under its own name', `dev:${developmentKey}`],
    ['under another name', `k1:${developmentKey}`],
    ['in the second place', `k1:${other},k0:${developmentKey}`],
    ['in the last of three', `k3:${other},k2:${base64(randomBytes(32))},k1:${developmentKey}`],
  ])('that is the development default %s is refused', (_where, ring) => {
    expect(refusal('ENCRYPTION_KEYS', ring)).toContain('is the development default');
  });

  const pattern = (bytes: Uint8Array) => Buffer.alloc(32, bytes);
  it.each([
    ['zeros', Buffer.alloc(32), 'sequence'],
    ['one byte', Buffer.alloc(32, 7), 'sequence'],
    ['two bytes in turn', pattern(Buffer.from([0xde, 0xad])), 'repeats'],
    ['sixteen random bytes twice', pattern(randomBytes(16)), 'repeats'],
    ['ascending bytes', Buffer.from(Array.from({ length: 32 }, (_, n) => n)), 'sequence'],
    ['descending bytes', Buffer.from(Array.from({ length: 32 }, (_, n) => 255 - n)), 'sequence'],
    ['a wide step', Buffer.from(Array.from({ length: 32 }, (_, n) => (n * 7) % 256)), 'sequence'],
    ['zeros but for a few', Buffer.from([...Buffer.alloc(24), ...randomBytes(8)]), 'few different'],
    ['text', Buffer.from('password for the payout service!'), 'text'],
    ['hexadecimal text', Buffer.from(randomBytes(16).toString('hex')), /text|few different/],
  ])('of %s is refused', (_what, key, reason) => {
    const told = refusal('ENCRYPTION_KEYS', `k1:${other},k0:${base64(key)}`);
    expect(told).toContain('key 2 of the ring');
    expect(told).toMatch(reason);
  });

  it.each([
    ['too short', `k1:${base64(randomBytes(16))}`],
    ['too long', `k1:${base64(randomBytes(33))}`],
    ['no base64', 'k1:&&&&'],
    ['without a name', base64(randomBytes(32))],
  ])('that is %s is refused before anything starts', (_what, ring) => {
    expect(refusal('ENCRYPTION_KEYS', ring)).not.toBe('accepted');
  });
});

describe.each(secrets)('%s', (name) => {
  it.each(defaults)('may not be the development default of %s', (_of, value) => {
    const told = 'holds a development default';
    expect(refusal(name, value)).toContain(told);
    expect(refusal(name, `${value}-1`)).toContain(told);
    expect(refusal(name, value.toUpperCase())).toContain(told);
    expect(refusal(name, base64(Buffer.from(value)))).toContain(told);
    expect(refusal(name, value.split(':').at(-1) ?? '')).toContain(told);
  });

  it.each([
    ['too short', 'b7Kq2Lw9', /16/],
    ['one character', 'x'.repeat(40), 'repeats'],
    ['a short pattern', 'k9Q2m7Tz'.repeat(3), 'repeats'],
    ['few characters', 'abbabaabcbaabbcabcbbaa', 'few different'],
    ['an ascending sequence', '0123456789abcdefghijklmn', 'sequence'],
    ['a word of every list', 'MyPassword-for-2026', 'word'],
    ['what an example says', 'change-me-before-use-1', 'word'],
  ])('may not be %s', (_what, value, reason) => {
    const told = refusal(name, value);
    expect(told).not.toBe('accepted');
    expect(told).toMatch(reason);
  });
});

describe('plain http', () => {
  const names = ['PROVIDER_URL', 'PUBLIC_URL', 'SIMULATOR_URL'];

  it.each(names)('is refused for %s', (name) => {
    for (const host of ['pay.example.org', '10.0.0.7', '[2001:db8::1]', '127.0.0.1.example.org']) {
      expect(refusal(name, `http://${host}:8080`), host).toContain('https://');
      expect(refusal(name, `https://${host}:8080`), host).toBe('accepted');
    }
  });

  it.each(names)('to this machine is accepted for %s', (name) => {
    for (const host of ['localhost', '127.0.0.1', '127.8.8.8', '[::1]']) {
      expect(refusal(name, `http://${host}:8080`), host).toBe('accepted');
    }
  });

  it('to a container is accepted for the sandbox alone', () => {
    expect(refusal('SIMULATOR_URL', 'http://simulator:3001')).toBe('accepted');
    expect(refusal('PROVIDER_URL', 'http://gateway:3001')).toContain('https://');
    expect(refusal('PUBLIC_URL', 'http://payouts')).toContain('https://');
  });
});

describe('what the sandbox has', () => {
  it.each(['PROVIDER_API_KEY', 'PROVIDER_WEBHOOK_SECRET'])('is no %s', (name) => {
    for (const value of [sound.SIMULATOR_API_KEY, sound.SIMULATOR_WEBHOOK_SECRET]) {
      expect(refusal(name, value)).toContain('is a secret of the sandbox too');
    }
  });

  it('is no provider of production', () => {
    for (const path of ['', '/', '/v1']) {
      const given = {
        ...sound,
        SIMULATOR_URL: 'https://simulator.example.org',
        PROVIDER_URL: `https://Simulator.example.org:443${path}`,
      };
      expect(() => loadConfig(given)).toThrow('PROVIDER_URL: is the simulator of the sandbox');
    }
    expect(refusal('PROVIDER_URL', 'https://simulator.example.org')).toBe('accepted');
  });
});

describe('what only development may have is refused:', () => {
  it('hosts that webhooks may reach', () => {
    expect(refusal('WEBHOOK_ALLOWED_HOSTS', 'localhost')).toContain('refused in production');
  });

  it('a point where the process kills itself', () => {
    expect(refusal('CRASH_POINT', 'webhook_sent')).toContain('refused in production');
  });

  it.each(defaults)('%s left out', (name) => {
    expect(refusal(name, '')).toContain('required in production');
  });
});

it('development and tests take all of it', () => {
  const weak = {
    ENCRYPTION_KEYS: `k1:${base64(Buffer.alloc(32))}`,
    PROVIDER: 'gateway',
    PROVIDER_URL: 'http://pay.example.org',
    PROVIDER_API_KEY: settings.SIMULATOR_API_KEY.fallback,
    PROVIDER_WEBHOOK_SECRET: settings.SIMULATOR_WEBHOOK_SECRET.fallback,
  };
  expect(loadConfig({ NODE_ENV: 'test', ...weak }).PROVIDER).toEqual(['gateway']);
});

it('the simulator of a production installation refuses either default in either place', () => {
  const good = createHash('sha256').update('simulator').digest('hex');
  const given = { SIMULATOR_API_KEY: good, SIMULATOR_WEBHOOK_SECRET: good };
  for (const name of ['SIMULATOR_API_KEY', 'SIMULATOR_WEBHOOK_SECRET'] as const) {
    for (const other of ['SIMULATOR_API_KEY', 'SIMULATOR_WEBHOOK_SECRET'] as const) {
      const spoilt = { ...given, [name]: `${settings[other].fallback}-1` };
      const start = () => readSimulatorConfig({ NODE_ENV: 'production', ...spoilt });
      expect(start).toThrow(`${name} must be set`);
    }
  }
});

it('production needs to know where callers reach it', () => {
  const { PUBLIC_URL: _, ...unnamed } = sound;
  expect(() => loadConfig(unnamed)).toThrow('PUBLIC_URL: required in production');
});

it.each([
  ['smtps://mail.example.org', 'accepted'],
  ['smtp://mail.example.org?requireTLS=true', 'accepted'],
  ['smtp://127.0.0.1:1025', 'accepted'],
  ['smtp://mailpit:1025', 'accepted'],
  ['smtp://mail.example.org', 'smtps://'],
  ['smtp://mail.example.org?requireTLS=false', 'smtps://'],
  ['smtp://10.0.0.7', 'smtps://'],
])('production sends mail with one-time links through %s: %s', (url, expected) => {
  expect(refusal('SMTP_URL', url)).toContain(expected);
});

it.each([
  ['postgres://payouts@db.example.org/payouts?sslmode=verify-full', 'accepted'],
  ['postgres://payouts@db.example.org/payouts?sslmode=require', 'accepted'],
  ['postgres://payouts@postgres:5432/payouts', 'accepted'],
  ['postgres://payouts@127.0.0.1/payouts', 'accepted'],
  ['postgres://payouts@[::1]/payouts', 'accepted'],
  ['postgres://payouts@10.1.2.3/payouts', 'accepted'],
  ['postgres:///payouts?host=/var/run/postgresql', 'accepted'],
  ['postgres://payouts@db.example.org/payouts', 'sslmode=verify-full'],
  ['postgres://payouts@db.example.org/payouts?sslmode=disable', 'sslmode=verify-full'],
  ['postgres://payouts@db.example.org/payouts?sslmode=prefer', 'sslmode=verify-full'],
  ['postgres://payouts@203.0.113.7/payouts', 'sslmode=verify-full'],
  ['postgres:///payouts?host=db.example.org', 'sslmode=verify-full'],
])('production reaches its database by %s: %s', (url, expected) => {
  for (const name of ['DATABASE_URL', 'MIGRATION_DATABASE_URL']) {
    expect(refusal(name, url)).toContain(expected);
  }
});
