import { globSync } from 'node:fs';
import { join } from 'node:path';

const patterns = [
  'console/**/*.{ts,tsx,css,html,svg,json}',
  'tools/{build,console}/*.ts',
  'schema/schema.graphql',
  'src/{reference/{currencies,purposes},errors/catalogue,access/roles}.ts',
  'package-lock.json',
];

export const consoleFolder = (root: string): string => join(root, 'generated/console');

/** Everything that the built console is made from. */
export const consoleSources = (root: string): string[] =>
  globSync(patterns, { cwd: root }).toSorted();
