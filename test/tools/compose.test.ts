import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { settings } from '../../src/process/config.ts';
import { notTaken, secretFiles } from '../../tools/docs/compose-settings.ts';

const root = join(import.meta.dirname, '../..');
const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
const example = readFileSync(join(root, '.env.example'), 'utf8');
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');

const fileShape = z.object({
  services: z.record(
    z.string(),
    z.looseObject({
      environment: z.record(z.string(), z.string()).optional(),
      ports: z.array(z.string()).optional(),
      command: z.array(z.string()).optional(),
    }),
  ),
});

/** What compose makes of the file with this environment; throws for a variable that it asks for and misses. */
function composed(env: Readonly<Record<string, string>>): z.output<typeof fileShape> {
  const filled = (text: string): string =>
    text.replaceAll(
      /\$\{([A-Z_]+)(?::([-?])([^}]*))?\}/g,
      (_whole, name: string, kind: string | undefined, rest = '') => {
        const value = env[name] ?? '';
        if (value === '' && kind === '?') throw new Error(`${name}: ${String(rest)}`);
        return value === '' && kind === '-' ? String(rest) : value;
      },
    );
  // Compose fills in each text after it has read the file, so an empty one stays a text.
  const reviver = (_key: unknown, value: unknown): unknown =>
    typeof value === 'string' ? filled(value) : value;
  return fileShape.parse(parse(compose, reviver, { merge: true }));
}

const asked = new Set([...compose.matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name));
const explained = new Set([...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name));

/** Each variable with a value of its own. */
const marks = Object.fromEntries([...asked].map((name) => [name, `mark-${name}`]));
const ours = ['migrate', 'api', 'worker'] as const;

describe('docker-compose.yml', () => {
  test.each(ours)('gives %s every setting', (name) => {
    const environment = composed(marks).services[name]?.environment ?? {};
    const lost = Object.keys(settings).filter(
      (setting) => !Object.hasOwn(notTaken, setting) && environment[setting] !== marks[setting],
    );
    expect(secretFiles).toEqual(
      expect.arrayContaining(['SMTP_URL_FILE', 'OIDC_CLIENT_SECRET_FILE', 'PROVIDER_API_KEY_FILE']),
    );
    for (const file of secretFiles) expect(environment[file], file).toBe(marks[file] ?? 'missing');
    expect(lost).toEqual([]);
    const known = [...Object.keys(settings), ...secretFiles, 'NODE_OPTIONS'];
    expect(known).toEqual(expect.arrayContaining(Object.keys(environment)));
  });

  test('has a reason for each setting that it takes from nowhere', () => {
    for (const name of Object.keys(notTaken)) {
      expect(Object.keys(settings)).toContain(name);
      expect(asked.has(name), name).toBe(false);
    }
  });

  test('asks for every secret that production refuses to default', () => {
    const secrets = Object.entries(settings)
      .filter(([, setting]) => 'developmentOnly' in setting)
      .map(([name]) => name);
    expect(secrets.length).toBeGreaterThan(0);
    for (const name of secrets) {
      // Those that may come from a file or a command: the processes refuse their absence themselves.
      if (name === 'ENCRYPTION_KEYS' || secretFiles.includes(`${name}_FILE`)) continue;
      expect(() => composed({ ...marks, [name]: '' })).toThrow(`${name}: `);
    }
  });

  test('shows the passwords of the database to whom they belong', () => {
    const { services } = composed(marks);
    for (const [name, { environment = {} }] of Object.entries(services)) {
      const text = JSON.stringify(environment);
      const knows = ['POSTGRES_PASSWORD', 'POSTGRES_SERVICE_PASSWORD'].filter((password) =>
        text.includes(`mark-${password}`),
      );
      const expected: Record<string, string[]> = {
        postgres: ['POSTGRES_PASSWORD'],
        migrate: ['POSTGRES_PASSWORD', 'POSTGRES_SERVICE_PASSWORD'],
        api: ['POSTGRES_SERVICE_PASSWORD'],
        worker: ['POSTGRES_SERVICE_PASSWORD'],
      };
      expect(knows, name).toEqual(expected[name] ?? []);
    }
  });

  test('publishes ports on this machine alone, unless it is told an address', () => {
    const required = Object.fromEntries(
      Object.entries(marks).filter(([name]) => !/^[A-Z]+_(?:ADDRESS|PORT)$/.test(name)),
    );
    const ports = Object.values(composed(required).services).flatMap((service) => [
      ...(service.ports ?? []),
    ]);
    expect(ports).toContain('127.0.0.1:3000:3000');
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  test('takes from each program of ours what the units of systemd take', () => {
    for (const [name, service] of Object.entries(composed(marks).services)) {
      if (service.command === undefined) continue;
      expect(service, name).toMatchObject({
        user: 'node',
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        tmpfs: ['/tmp:size=64m,mode=1777,noexec,nosuid,nodev'],
        ulimits: { nofile: 65_536 },
      });
      expect(service['pids_limit'], name).toBeGreaterThan(0);
      expect(service['mem_limit'], name).toMatch(/^\dg$/);
    }
  });

  test('is explained by .env.example, variable by variable, where it is no optional setting', () => {
    const optional = new Set([...Object.keys(settings), ...secretFiles]);
    expect([...explained].filter((name) => !asked.has(name))).toEqual([]);
    const unexplained = [...asked].filter((name) => !explained.has(name));
    expect(unexplained.filter((name) => !optional.has(name))).toEqual([]);
    for (const name of unexplained) expect(() => composed({ ...marks, [name]: '' })).not.toThrow();
  });
});

test('the image sets only settings that exist', () => {
  const [, block = ''] = /^ENV ((?:.*\\\n)*.*)$/m.exec(dockerfile) ?? [];
  const names = [...block.matchAll(/([A-Z_]+)=/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(0);
  // Those of the runtime and of the C library are not ours to define.
  const theirs = [
    'NODE_OPTIONS',
    'MALLOC_ARENA_MAX',
    'MALLOC_TRIM_THRESHOLD_',
    'MALLOC_MMAP_THRESHOLD_',
  ];
  const known = [...Object.keys(settings), ...theirs];
  expect(known).toEqual(expect.arrayContaining(names));
});
