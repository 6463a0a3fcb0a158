import { describe, expect, it } from 'vitest';
import { createProviders } from '../../src/providers/registry.ts';

describe('createProviders', () => {
  const providers = createProviders({
    sandbox: { url: 'http://127.0.0.1:9', apiKey: 'key', webhookSecret: 'secret' },
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
});
