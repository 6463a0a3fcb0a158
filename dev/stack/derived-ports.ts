import { ConfigError } from '../../src/process/settings/setting.ts';

/** Ports of the parts of `npm start`, as distances from `PORT`, so that one setting moves all. */
const distances = {
  SIMULATOR_PORT: 1,
  MAILBOX_PORT: 2,
  /** The worker has the next one. */
  METRICS_PORT: 3,
  SMTP_PORT: 25,
} as const;

const usualPort = 3_000;
const highest = 65_535 - Math.max(...Object.values(distances));

/**
 * The environment with the ports that are not set. A malformed `PORT` is left to whoever reads it.
 *
 * @throws ConfigError when `PORT` leaves no room for the others
 */
export function withPorts(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const base = Number((env['PORT'] ?? '') ? env['PORT'] : usualPort);
  if (!Number.isInteger(base)) return env;
  const missing = Object.entries(distances).filter(([name]) => (env[name] ?? '') === '');
  if (missing.length > 0 && (base < 1 || base > highest)) {
    const names = missing.map(([name]) => name).join(', ');
    throw new ConfigError(
      `PORT: must be from 1 to ${highest}, since ${names} follow from it (or set each of them)`,
    );
  }
  const derived: NodeJS.ProcessEnv = Object.fromEntries(
    missing.map(([name, distance]) => [name, String(base + distance)]),
  );
  return { ...env, PORT: String(base), ...derived };
}
