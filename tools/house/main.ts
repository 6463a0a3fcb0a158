import { join } from 'node:path';
import { readFiles } from './files.ts';
import { tooLong } from './lengths.ts';
import { permittedPairs } from './permitted-pairs.ts';
import { brokenPointers } from './pointers.ts';
import { judgePairs, mutualRooms } from './rooms.ts';

const root = join(import.meta.dirname, '../..');
const rooms = await readFiles(root, [
  '{src,schema,rest,jobs,simulator,dev,tools,client,console}/**/*.{ts,tsx}',
]);
const programs = await readFiles(root, ['**/*.{ts,tsx}']);
// A migration stays as it was applied; the other two are generated.
const sheets = (await readFiles(root, ['**/*.{css,sql,graphql}'])).filter(
  ({ path }) =>
    !path.startsWith('prisma/migrations/') &&
    !['schema/schema.graphql', 'prisma/repeatable/14-from-data.sql'].includes(path),
);
const texts = await readFiles(root, [
  '**/*.{ts,tsx,js,mjs,cjs,json,jsonc,md,sql,prisma,graphql,css,yml,go,py,php,rb}',
  '{Dockerfile,.env.example,.dependency-cruiser.cjs,.oxlintrc.json,.ci/run}',
]);

const complaints = [
  ...brokenPointers(root, texts).map(
    ({ place, text }) => `${place} points to "${text}", which is not in the repository`,
  ),
  ...tooLong([...programs, ...sheets]),
  ...judgePairs(mutualRooms(rooms), permittedPairs),
];
for (const complaint of complaints) console.error(complaint.replaceAll(/\s+/g, ' '));
process.exitCode = complaints.length === 0 ? 0 : 1;
