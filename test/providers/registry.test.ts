import { describe, expect, it } from 'vitest';
import { createProviders } from '../../src/providers/registry.ts';

const access = { url: 'http://127.0.0.1:9', apiKey: 'key', webhookSecret: 'secret' };

describe('createProviders', () => {
  const providers = createProviders({ sandbox: access, production: null, timeoutMs: 1_000 });

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
      sandbox: access,
      production: { ...access, name: 'gateway' },
      timeoutMs: 1_000,
    });
    expect(both.forEnvironment('production')?.name).toBe('gateway');
    expect(both.forEnvironment('sandbox')?.name).toBe('simulator');
    expect(both.byName('gateway')).toBe(both.forEnvironment('production'));
    expect(both.circuits()).toEqual({ simulator: 'closed', gateway: 'closed' });
  });
});
