import type { Services } from '../../process/services.ts';
import type { ListKind } from '../../screening/lists/entry.ts';
import { embeddedEngine } from './embedded.ts';
import { remoteEngine } from './engines/remote.ts';
import { watchman } from './engines/watchman.ts';
import { yente } from './engines/yente.ts';
import type { ScreeningPolicy } from './policy-store.ts';
import type { ScreeningEngine, Versions } from './port.ts';

const dialects = { watchman, yente } as const;

/** Of each process one, since an engine over HTTP keeps its connections. */
const made = new WeakMap<Services['config'], ScreeningEngine>();

function makeEngine({ pool, config }: Services): ScreeningEngine {
  const { SCREENING_ENGINE: name, SCREENING_ENGINE_URL: url } = config;
  if (name === 'embedded' || url === null) {
    return embeddedEngine(pool, config.WATCHLIST_STALE_DAYS);
  }
  return remoteEngine(dialects[name], {
    url,
    key: config.SCREENING_ENGINE_KEY,
    staleDays: config.WATCHLIST_STALE_DAYS,
    timeoutMs: config.SCREENING_ENGINE_TIMEOUT_MS,
  });
}

/** The engine that the settings name. */
export function engineOf(services: Services): ScreeningEngine {
  const before = made.get(services.config);
  if (before !== undefined) return before;
  const engine = makeEngine(services);
  made.set(services.config, engine);
  return engine;
}

// An object's keys are its type's.
const kindsOf = (versions: Versions): ListKind[] => Object.keys(versions) as ListKind[];

/**
 * The lists that are demanded of a tenant: those that it names, else those that its engine has. While that is away, those
 * that it had before. Throws where it never answered.
 */
export async function demandedKinds(
  engine: ScreeningEngine,
  policy: ScreeningPolicy,
): Promise<readonly ListKind[]> {
  if (policy.kinds !== null) return policy.kinds;
  try {
    return kindsOf(await engine.versions());
  } catch (error) {
    const before = kindsOf(policy.screened);
    if (before.length === 0) throw error;
    return before;
  }
}
