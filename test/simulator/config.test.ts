import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSimulatorConfig } from '../../simulator/config.ts';
import { temporaryFolder } from '../providers/support.ts';

describe('readSimulatorConfig', () => {
  const secrets = {
    SIMULATOR_API_KEY: 'a-key-of-its-own-1',
    SIMULATOR_WEBHOOK_SECRET: 'a-secret-of-its-own',
  };

  it('has defaults for local work', () => {
    expect(readSimulatorConfig({ SIMULATOR_PORT: '' })).toMatchObject({
      host: '127.0.0.1',
      port: 3001,
      ledgerFile: '.data/simulator/ledger.jsonl',
      webhookUrl: 'http://127.0.0.1:3000/provider-webhooks/simulator',
      stepDelayMs: 300,
      keyWindowMs: 86_400_000,
    });
  });

  it('needs secrets of its own in production', () => {
    const production = { NODE_ENV: 'production' };
    const development = readSimulatorConfig({});
    expect(() => readSimulatorConfig(production)).toThrow('SIMULATOR_API_KEY must be set');
    expect(() =>
      readSimulatorConfig({
        ...production,
        ...secrets,
        SIMULATOR_WEBHOOK_SECRET: development.webhookSecret,
      }),
    ).toThrow('SIMULATOR_WEBHOOK_SECRET must be set');
    expect(readSimulatorConfig({ ...production, ...secrets }).apiKey).toBe('a-key-of-its-own-1');
  });

  it('reads secrets from files', async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder.path, 'key');
    await writeFile(file, 'a-key-from-a-file\n');
    expect(readSimulatorConfig({ SIMULATOR_API_KEY_FILE: file }).apiKey).toBe('a-key-from-a-file');
    await writeFile(file, 'short\n');
    expect(() => readSimulatorConfig({ SIMULATOR_API_KEY_FILE: file })).toThrow('16 characters');
    await folder.remove();
  });

  it.each([
    { SIMULATOR_PORT: '70000' },
    { SIMULATOR_PORT: 'http' },
    { SIMULATOR_STEP_DELAY_MS: '-1' },
    { SIMULATOR_WEBHOOK_URL: 'ftp://127.0.0.1/' },
    { SIMULATOR_API_KEY: 'short' },
  ])('refuses %o', (environment) => {
    expect(() => readSimulatorConfig(environment)).toThrow('settings are invalid');
  });
});
