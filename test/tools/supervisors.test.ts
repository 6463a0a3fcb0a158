import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { processSettings, programs as bundled, workerSettings } from '../../dev/stack/services.ts';
import { settings } from '../../src/process/config.ts';
import { drainMilliseconds } from '../../src/process/lifetime.ts';
import { longestShutdownDelayMs } from '../../src/process/settings/api.ts';

/** What starts the programs in production, and starts them again: the units of systemd, and compose. */
const root = join(import.meta.dirname, '../..');
const folder = join(root, 'deploy/systemd');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const files = (ending: string): string[] =>
  readdirSync(folder).filter((name) => name.endsWith(ending));

/** The values of each key of a unit, in its order. */
function unitOf(name: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [, key = '', value = ''] of read(`deploy/systemd/${name}`).matchAll(
    /^(\w+)=(.*)$/gm,
  )) {
    found.set(key, [...(found.get(key) ?? []), value]);
  }
  return found;
}

const units = files('.service').map((name) => ({ name, unit: unitOf(name) }));
const one = (unit: Map<string, string[]>, key: string): string => {
  const values = unit.get(key) ?? [];
  expect(values, key).toHaveLength(1);
  return values[0] ?? '';
};

const simulatorReadme = read('simulator/README.md');
const theirs = new Set(Object.keys(processSettings));

/** Whether a program of ours reads this variable; a secret may come from a file. */
function exists(variable: string): boolean {
  const name = variable.replace(/_FILE$/, '');
  return (
    theirs.has(variable) ||
    Object.hasOwn(settings, variable) ||
    Object.hasOwn(settings, name) ||
    (variable.startsWith('SIMULATOR_') && simulatorReadme.includes(variable))
  );
}

const variablesOf = (unit: Map<string, string[]>): string[] =>
  (unit.get('Environment') ?? []).flatMap((line) =>
    [...line.matchAll(/(?:^|\s)([A-Z_]+)=/g)].map(([, name = '']) => name),
  );

const programOf = (unit: Map<string, string[]>): string => {
  const [node, program = '', ...more] = one(unit, 'ExecStart').split(' ');
  expect(node).toBe('/usr/bin/node');
  expect(more).toEqual([]);
  return program;
};

/** The services of compose that run a program of ours: its path and the rest of its text. */
const compose = read('docker-compose.yml');
const services = compose
  .slice(compose.indexOf('\nservices:'), compose.indexOf('\nvolumes:'))
  .split(/\n(?= {2}[a-z]+:\n)/)
  .flatMap((text) => {
    const [, program] = /command: \['node', '([^']+)'\]/.exec(text) ?? [];
    return program === undefined ? [] : [{ program, text }];
  });

describe('the units of systemd', () => {
  test('run programs that exist, and the same ones as compose', () => {
    const programs = units.map(({ unit }) => programOf(unit));
    for (const program of programs) expect(existsSync(join(root, program)), program).toBe(true);
    expect(programs.toSorted()).toEqual(services.map(({ program }) => program).toSorted());
    // What runs for long does so from the bundle.
    expect(new Set(programs)).toEqual(new Set(['src/migrate.ts', ...Object.values(bundled)]));
  });

  test('give only settings that exist, and read only files that are explained', () => {
    for (const { name, unit } of units) {
      for (const variable of variablesOf(unit))
        expect(exists(variable), `${name}: ${variable}`).toBe(true);
      for (const path of unit.get('EnvironmentFile') ?? []) {
        const example = `${path.replace('/etc/payouts/', '')}.example`;
        expect(files('.example'), name).toContain(example);
      }
      for (const page of unit.get('Documentation') ?? []) {
        const path = page.replace('file:///opt/payouts/', '');
        expect(existsSync(join(root, path)), path).toBe(true);
      }
    }
    for (const example of files('.example')) {
      const text = read(`deploy/systemd/${example}`);
      for (const [, variable = ''] of text.matchAll(/^([A-Z_]+)=/gm)) {
        expect(exists(variable), `${example}: ${variable}`).toBe(true);
      }
      for (const [, path = ''] of text.matchAll(/([a-z/]+\.md) explains/gi)) {
        expect(existsSync(join(root, path)), path).toBe(true);
      }
    }
  });

  test('start again what ended, and let it drain', () => {
    for (const { name, unit } of units) {
      if (one(unit, 'Type') === 'oneshot') continue;
      expect(one(unit, 'Restart'), name).toBe('always');
      expect(one(unit, 'StartLimitIntervalSec'), name).toBe('0');
      const delayMs = programOf(unit) === bundled.api ? longestShutdownDelayMs : 0;
      const deadlineMs = drainMilliseconds + delayMs;
      expect(Number(one(unit, 'TimeoutStopSec')) * 1_000, name).toBeGreaterThan(deadlineMs);
    }
  });

  test('take the same rights from every program, and run it with the settings of the runtime', () => {
    const sandboxes = units.map(({ name }) => {
      const text = read(`deploy/systemd/${name}`);
      const from = text.indexOf('# The process reads its own files');
      expect(from, name).toBeGreaterThan(0);
      return text.slice(from).split('\n[Install]')[0]?.trim();
    });
    expect(new Set(sandboxes).size).toBe(1);
    for (const { name, unit } of units) {
      const settingsOf = name === 'payouts-worker.service' ? workerSettings : processSettings;
      const runtime = Object.entries(settingsOf).map(([key, value]) => `${key}=${value}`);
      // An assignment with a space in it stands in quotes.
      const given = (unit.get('Environment') ?? []).flatMap((line) =>
        [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain),
      );
      expect(given).toEqual(expect.arrayContaining(runtime));
    }
  });
});

test('the image and compose run them with the settings of the runtime', () => {
  const image = read('Dockerfile').replaceAll('"', '');
  for (const [key, value] of Object.entries(processSettings)) {
    expect(image).toContain(`${key}=${value}`);
  }
  const { text = '' } = services.find(({ program }) => program === bundled.worker) ?? {};
  expect(text).toContain(`NODE_OPTIONS: ${workerSettings.NODE_OPTIONS}`);
});

test('compose runs programs that exist, starts them again, and lets them drain', () => {
  for (const { program, text } of services) {
    expect(existsSync(join(root, program)), program).toBe(true);
    // The migration runs once; the others have the policy that they share.
    const policy = /restart: (\S+)/.exec(text)?.[1] ?? 'shared';
    expect(policy).toBe(program === 'src/migrate.ts' ? 'on-failure:3' : 'shared');
  }
  const shared = compose.slice(compose.indexOf('x-service:'), compose.indexOf('\nservices:'));
  expect(shared).toContain('  restart: unless-stopped\n');
  const [, seconds] = /^ {2}stop_grace_period: (\d+)s$/m.exec(shared) ?? [];
  expect(Number(seconds) * 1_000).toBeGreaterThan(drainMilliseconds + longestShutdownDelayMs);
});
