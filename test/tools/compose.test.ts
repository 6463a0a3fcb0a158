import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { settings } from '../../src/process/config.ts';

const root = join(import.meta.dirname, '../..');
const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
const example = readFileSync(join(root, '.env.example'), 'utf8');
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');

/** The environment of the services that run this program, from the anchor that they share. */
const shared = compose.slice(compose.indexOf('x-service:'), compose.indexOf('\nservices:'));
const given = new Map(
  [...shared.matchAll(/^ {4}([A-Z_]+): (.+)$/gm)].map(([, name = '', value = '']) => [name, value]),
);
const asked = new Set([...compose.matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name));
const explained = new Set([...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name));

describe('docker-compose.yml', () => {
  test('gives the services only settings that exist', () => {
    expect(given.size).toBeGreaterThan(5);
    expect(Object.keys(settings)).toEqual(expect.arrayContaining([...given.keys()]));
  });

  test('asks for every secret that production refuses to default', () => {
    const secrets = Object.entries(settings)
      .filter(([, setting]) => 'developmentOnly' in setting)
      .map(([name]) => name);
    expect(secrets.length).toBeGreaterThan(0);
    for (const name of secrets) expect(given.get(name)).toMatch(`\${${name}:?`);
  });

  test('is explained by .env.example, variable by variable', () => {
    const computed = new Set(['SIMULATOR_URL']);
    expect([...explained].toSorted()).toEqual(
      [...asked].filter((name) => !computed.has(name)).toSorted(),
    );
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
