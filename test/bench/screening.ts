import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedEngine } from '../../src/domain/screening/embedded.ts';
import { loadList } from '../../src/domain/screening/load.ts';
import type { ScreeningEngine } from '../../src/domain/screening/port.ts';
import { loadConfig } from '../../src/process/config.ts';
import { closeServices, createServices, type Services } from '../../src/process/services.ts';
import type { ListKind } from '../../src/screening/lists/entry.ts';
import { defaultThreshold } from '../../src/screening/match/score.ts';
import type { Subject } from '../../src/screening/subject.ts';
import { listsMissing } from '../screening/config.ts';
import { open } from '../screening/lists/support.ts';
import { judgeOfac, judgePairs, people, sameName } from '../screening/match/yardsticks.ts';
import { sizes } from './config.ts';
import { startBenchPostgres } from './postgres.ts';
import { median } from './stack.ts';

const { entries, asked } = sizes({ entries: 30_000, asked: 1_000 }, { entries: 200, asked: 20 });

/** Names that many people have, and syllables for those that few have. */
const given =
  'Mohammed Ahmed Ali Hassan Ibrahim Omar Abdul Yusuf Ivan Sergei Vladimir Maria Anna Kim Jose Carlos Juan Peter John Fatima'.split(
    ' ',
  );
const syllables =
  'ba ra ka mo shi len dor vi tan gul zar kha li no sed per mar to nik ez ul han qas bro win fel ja ry om stu pak'.split(
    ' ',
  );

/** Numbers that look random and are the same in each run (Lehmer's generator). */
function* numbers(): Generator<number, never> {
  for (let state = 20_261_127; ;) {
    state = (state * 48_271) % 2_147_483_647;
    yield state;
  }
}
const drawn = numbers();
const pick = (from: readonly string[]): string => from[drawn.next().value % from.length] ?? '';
const made = (): string =>
  Array.from({ length: 2 + (drawn.next().value % 3) }, () => pick(syllables)).join('');
const anyName = (): string => `${pick(given)} ${made()} ${made()}`;

async function* syntheticList(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('id,type,name,aliases,birth_dates,countries\n');
  for (let at = 0; at < entries; at += 1) {
    const year = 1940 + (drawn.next().value % 60);
    yield Buffer.from(`S-${at},person,${anyName()},${anyName()},${year},RU\n`);
  }
}

const person = (name: string): Subject => ({
  type: 'person',
  names: [name],
  birth: null,
  countries: [],
  identifiers: [],
});

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

async function speed(engine: ScreeningEngine): Promise<void> {
  const names = Array.from({ length: asked }, anyName);
  const times: number[] = [];
  for (const name of names) {
    const started = performance.now();
    await engine.screen({ subject: person(name), kinds: ['own'], threshold: defaultThreshold });
    times.push(performance.now() - started);
  }
  const sorted = times.toSorted((one, other) => one - other);
  console.log(
    `screening: one subject against ${entries} entries with ${2 * entries} names: p50 ${median(times).toFixed(1)} ms, p95 ${at(sorted, 0.95).toFixed(1)} ms (${asked} subjects)`,
  );
}

async function hitsOf(engine: ScreeningEngine, subject: Subject) {
  const kinds: readonly ListKind[] = ['un'];
  return (await engine.screen({ subject, kinds, threshold: defaultThreshold })).hits;
}

async function recall(engine: ScreeningEngine, file: string): Promise<number> {
  const truth = people('positives_un_untreated.csv');
  let found = 0;
  for (const [index, { subject }] of people(file).entries()) {
    const name = truth[index]?.name ?? '';
    const hits = await hitsOf(engine, subject);
    found += Number(hits.some(({ entry }) => entry.names.some(({ text }) => sameName(text, name))));
  }
  return found / truth.length;
}

/** The yardsticks of others, where they are. */
async function yardsticks(services: Services, engine: ScreeningEngine): Promise<void> {
  if (listsMissing !== null) return console.log(`screening: ${listsMissing}`);
  const { f1, precision, recall: found, strongWrong } = judgePairs();
  console.log(
    `screening: pairs of names: F1 ${f1.toFixed(3)}, recall ${found.toFixed(3)}, precision ${precision.toFixed(3)}, strong pairs wrong ${strongWrong.length}`,
  );
  console.log(`screening: OFAC's score within five points: ${(100 * judgeOfac()).toFixed(1)} %`);
  const files = { main: open('un/UN_consolidated.xml') };
  const because = { loadedBy: 'bench', acceptedBecause: null, givenDate: null };
  await loadList(services, { kind: 'un', files, ...because });
  const typed = await recall(engine, 'positives_un_untreated.csv');
  const mistyped = await recall(engine, 'positives_un_treated.csv');
  const innocents = people('negatives_us.csv');
  let alerts = 0;
  for (const { subject } of innocents) alerts += Number((await hitsOf(engine, subject)).length > 0);
  console.log(
    `screening: list of the UN: recall ${typed.toFixed(3)} typed, ${mistyped.toFixed(3)} mistyped; ${((1_000 * alerts) / innocents.length).toFixed(1)} alerts for 1,000 innocents`,
  );
}

/** Screening in the database of the service: how right it is by yardsticks of others, and how fast. */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-screening-'));
  const postgres = await startBenchPostgres(folder);
  const env = { NODE_ENV: 'test', LOG_LEVEL: 'silent', DATABASE_URL: postgres.serviceUrl };
  const services = createServices(loadConfig(env), 'worker');
  try {
    const engine = embeddedEngine(services.pool, 36_500);
    const files = { main: syntheticList() };
    const started = performance.now();
    const because = { loadedBy: 'bench', acceptedBecause: null, givenDate: '2026-08-21' };
    const { names } = await loadList(services, { kind: 'own', files, ...because });
    console.log(
      `screening: ${names} names were loaded in ${((performance.now() - started) / 1_000).toFixed(1)} s`,
    );
    await yardsticks(services, engine);
    await speed(engine);
  } finally {
    await closeServices(services);
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) await run();
