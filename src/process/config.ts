import type { z } from 'zod';
import {
  adapterSettings,
  missingProviderSettings,
  providerSettings,
} from '../providers/registry.ts';
import { admissionSettings } from './settings/admission.ts';
import { apiSettings } from './settings/api.ts';
import { bankProblems, bankSettings } from './settings/banks.ts';
import { limitSettings } from './settings/limits.ts';
import { mailSettings } from './settings/mail.ts';
import { missingOidcSettings, oidcSettings } from './settings/oidc.ts';
import { processSettings } from './settings/process.ts';
import { productionProblems } from './settings/production.ts';
import { providerCallSettings } from './settings/provider-calls.ts';
import { rateLimitSettings } from './settings/rate-limits.ts';
import { missingScreeningSettings, screeningSettings } from './settings/screening.ts';
import { ConfigError, faultOf, readValue } from './settings/setting.ts';
import { signInSettings } from './settings/sign-in.ts';
import { storageSettings } from './settings/storage.ts';
import { webhookSettings } from './settings/webhooks.ts';
import { workerSettings } from './settings/worker.ts';

/**
 * Every setting of the API and the worker, by theme. They are read from the environment once, and the
 * documented table is made from this object in its order. A secret may also come from the file that
 * `<NAME>_FILE` names.
 */
export const settings = {
  ...processSettings,
  ...apiSettings,
  ...storageSettings,
  ...providerSettings,
  ...providerCallSettings,
  ...bankSettings,
  ...rateLimitSettings,
  ...admissionSettings,
  ...limitSettings,
  ...webhookSettings,
  ...mailSettings,
  ...signInSettings,
  ...oidcSettings,
  ...workerSettings,
  ...screeningSettings,
} as const;

type Settings = typeof settings;
type ValueOf<K extends keyof Settings> =
  | z.output<Settings[K]['schema']>
  | (Settings[K]['fallback'] extends null ? null : never);

type Values = { readonly [K in keyof Settings]: ValueOf<K> };

/** The settings, with PUBLIC_URL resolved. */
export type Config = Omit<Values, 'PUBLIC_URL'> & { readonly PUBLIC_URL: string };

/**
 * Reads and checks all settings. Throws ConfigError with one line for each that is wrong.
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  const production = env['NODE_ENV'] === 'production';
  for (const [key, entry] of Object.entries(settings)) {
    const name = key as keyof Settings;
    const given = 'read' in entry ? entry.read(env) : readValue(name, env);
    if (production && given === null && 'developmentOnly' in entry) {
      problems.push(`${name}: required in production`);
      continue;
    }
    const text = given ?? entry.fallback;
    if (text === null) {
      values[name] = null;
      continue;
    }
    const parsed = entry.schema.safeParse(text);
    if (parsed.success) values[name] = parsed.data;
    else problems.push(`${name}: ${parsed.error.issues.map(faultOf).join('; ')}`);
  }
  problems.push(...bankProblems(values));
  // Without its credentials a provider would leave every production payout waiting, without a word.
  const missing = missingProviderSettings(values);
  problems.push(...missing.map((name) => `${name}: required with PROVIDER`));
  problems.push(...missingOidcSettings(values).map((name) => `${name}: required with OIDC_ISSUER`));
  problems.push(
    ...missingScreeningSettings(values).map((name) => `${name}: required with SCREENING_ENGINE`),
  );
  if (production) problems.push(...productionProblems(values, publicValues, adapterSettings));
  if (problems.length > 0) throw new ConfigError(`Settings:\n  ${problems.join('\n  ')}`);
  values['PUBLIC_URL'] ??= `http://localhost:${String(values['PORT'])}`;
  return values as unknown as Config; // each key was parsed by its own schema above
}

/** The development defaults of the secrets, which anybody who has this file knows. */
export const publicValues = Object.values(settings).flatMap(({ fallback, ...entry }) =>
  'developmentOnly' in entry && fallback !== null ? [fallback] : [],
);
