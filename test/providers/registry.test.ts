import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineAdapter } from '../../src/providers/adapter.ts';
import { adapters } from '../../src/providers/adapters.ts';
import {
  createProviders,
  missingProviderSettings,
  providerSettings,
} from '../../src/providers/registry.ts';

const url = 'http://127.0.0.1:9';
const sandbox = {
  SIMULATOR_URL: url,
  SIMULATOR_API_KEY: 'key',
  SIMULATOR_WEBHOOK_SECRET: 'secret',
};
const gateway = { PROVIDER_URL: url, PROVIDER_API_KEY: 'key', PROVIDER_WEBHOOK_SECRET: 'secret' };

describe('createProviders', () => {
  const providers = createProviders({
    settings: { ...sandbox, PROVIDER: null },
    timeoutMs: 1_000,
  });

  it('gives the sandbox the simulator, and production nothing', () => {
    expect(providers.forEnvironment('sandbox')?.name).toBe('simulator');
    expect(providers.forEnvironment('production')).toBeNull();
  });

  it('finds a provider by its name', () => {
    expect(providers.byName('simulator')).toBe(providers.forEnvironment('sandbox'));
    expect(providers.byName('toString')).toBeNull();
  });

  it('gives production the provider of its setting, which is never the one of the sandbox', () => {
    const both = createProviders({
      settings: { ...sandbox, ...gateway, PROVIDER: ['gateway'] },
      timeoutMs: 1_000,
    });
    expect(both.forEnvironment('production')?.name).toBe('gateway');
    expect(both.forEnvironment('sandbox')?.name).toBe('simulator');
    expect(both.byName('gateway')).toBe(both.forEnvironment('production'));
    expect(both.circuits()).toEqual({ simulator: 'closed', gateway: 'closed' });
  });

  it('makes no provider without the settings that its adapter requires', () => {
    const settings = { ...sandbox, ...gateway, PROVIDER: ['gateway'], PROVIDER_URL: null } as const;
    expect(() => createProviders({ settings, timeoutMs: 1_000 })).toThrow(
      'PROVIDER_URL: required with gateway',
    );
  });
});

describe('the table of adapters', () => {
  it('has names that can be part of a path, and none is the name of the sandbox', () => {
    for (const name of Object.keys(adapters)) {
      expect(name).toMatch(/^[a-z][a-z0-9-]*$/);
      expect(name).not.toBe('simulator');
    }
  });

  it('says what each adapter is, and brings its settings along', () => {
    for (const [name, { description, settings }] of Object.entries(adapters)) {
      expect(providerSettings.PROVIDER.description).toContain(`\`${name}\`: ${description}`);
      expect(Object.keys(providerSettings)).toEqual(expect.arrayContaining(Object.keys(settings)));
    }
  });

  it('declares no setting twice', () => {
    const names = Object.values(adapters).flatMap(({ settings }) => Object.keys(settings));
    expect(new Set(names).size).toBe(names.length);
  });

  it('asks for the settings of the chosen adapter alone', () => {
    expect(missingProviderSettings({ PROVIDER: null })).toEqual([]);
    expect(missingProviderSettings({ ...gateway, PROVIDER: ['gateway'] })).toEqual([]);
    const without = { PROVIDER_URL: null, PROVIDER_API_KEY: null };
    expect(missingProviderSettings({ ...gateway, ...without, PROVIDER: ['gateway'] })).toEqual([
      'PROVIDER_URL',
      'PROVIDER_API_KEY',
    ]);
  });
});

describe('defineAdapter', () => {
  it('hands an adapter its own settings and no others', () => {
    const seen: unknown[] = [];
    const adapter = defineAdapter({
      description: 'for this test.',
      settings: {
        ACME_TOKEN: { schema: z.string(), fallback: null, required: true, description: 'Token.' },
        ACME_REGION: { schema: z.string(), fallback: null, description: 'Region.' },
      },
      connect(name, values) {
        seen.push(name, values);
        return adapters.gateway.connect(name, gateway);
      },
    });
    adapter.connect('acme', { ...sandbox, ACME_TOKEN: 'token', ACME_REGION: null });
    expect(seen).toEqual(['acme', { ACME_TOKEN: 'token', ACME_REGION: null }]);
    expect(() => adapter.connect('acme', { ACME_TOKEN: null })).toThrow(
      'ACME_TOKEN: required with acme',
    );
  });
});
