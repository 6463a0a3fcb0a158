import { join } from 'node:path';

/** The programs that run for long, and what is loaded before them, by the names of their files in the bundle. */
export const programs = {
  server: 'src/server.ts',
  worker: 'src/worker.ts',
  telemetry: 'src/telemetry.ts',
  simulator: 'simulator/main.ts',
} as const;

/** Packages that stay in node_modules, each for its reason. */
export const outside: readonly RegExp[] = [
  // It has native parts.
  /^ssh2$/,
  // It can load files that it is told by name, and TypeScript for them.
  /^graphile-worker$/,
  // graphile-worker uses it too, and a process needs one of it.
  /^pg$/,
  // Optional packages.
  /^@opentelemetry\//,
  // Nine megabytes, for who opens GraphiQL.
  /^@graphql-yoga\/render-graphiql$/,
];

export const bundleFolder = (root: string): string => join(root, 'generated/bundle');
