import { globSync } from 'node:fs';

const patterns = [
  'console/**/*.{ts,tsx,css,html,svg,json}',
  'tools/{build,console}/*.ts',
  'schema/schema.graphql',
  'src/{reference/{currencies,purposes},errors/catalogue,access/roles}.ts',
  'package-lock.json',
];

/** Everything that the built console is made from. */
export const consoleSources = (root: string): string[] =>
  globSync(patterns, { cwd: root }).toSorted();
