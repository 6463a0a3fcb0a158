import { createHttpCaller, type HttpQuestion } from '../../../providers/http-caller.ts';
import type { ListEntry, ListKind } from '../../../screening/lists/entry.ts';
import { matchEntry, prepareSubject } from '../../../screening/match/score.ts';
import type { Subject } from '../../../screening/subject.ts';
import { digestOf } from '../entry-store.ts';
import type { Hit, Screening, ScreeningEngine, ScreeningOrder, Versions } from '../port.ts';
import type { ListStanding } from '../standing.ts';

/** An entry that another system found, with its own score from 0 to 1. */
export interface Found {
  readonly kind: ListKind;
  readonly entry: ListEntry;
  readonly score: number;
}

/** A list of another system. */
export interface RemoteList {
  readonly kind: ListKind;
  /** Changes with each version. */
  readonly version: string;
  /** The day of the version, `YYYY-MM-DD`. */
  readonly listedOn: string;
  readonly entries: number | null;
  /** The system says itself that a newer version is out. */
  readonly outdated: boolean;
}

/** What differs from system to system: its questions, and how its answers are read. */
export interface Dialect {
  readonly name: string;
  readonly lists: Omit<HttpQuestion, 'headers'>;
  readLists(answer: unknown): RemoteList[];
  search(subject: Subject, threshold: number): Omit<HttpQuestion, 'headers'>;
  readFound(answer: unknown): Found[];
  headers(key: string): Readonly<Record<string, string>>;
}

interface Place {
  readonly url: string;
  readonly key: string | null;
  readonly staleDays: number;
  readonly timeoutMs: number;
}

const dayMs = 86_400_000;

function standingOf(list: RemoteList, staleDays: number): ListStanding {
  const ageMs = Date.now() - Date.parse(list.listedOn);
  const isStale = list.outdated || ageMs > staleDays * dayMs;
  return {
    kind: list.kind,
    state: isStale ? 'stale' : 'current',
    sequence: null,
    sha256: list.version,
    listedOn: list.listedOn,
    entries: list.entries,
    loadedAt: null,
    problem: null,
  };
}

const without = (kind: ListKind, problem: string | null): ListStanding => ({
  kind,
  state: problem === null ? 'never' : 'failed',
  sequence: null,
  sha256: null,
  listedOn: null,
  entries: null,
  loadedAt: null,
  problem,
});

/** The other system decides; what it found is explained by our own comparison. */
function explain(order: ScreeningOrder, found: readonly Found[]): Hit[] {
  const prepared = prepareSubject(order.subject);
  return found
    .filter(({ kind, score }) => order.kinds.includes(kind) && score >= order.threshold)
    .flatMap(({ kind, entry, score }) => {
      const match = matchEntry(prepared, entry, 0);
      return match === null ? [] : [{ ...match, score, kind, digest: digestOf(entry) }];
    })
    .toSorted((one, other) => other.score - one.score);
}

/** Asks another system, which has lists of its own. That it is away is an answer too, which is incomplete. */
export function remoteEngine(dialect: Dialect, place: Place): ScreeningEngine {
  const { name } = dialect;
  const http = createHttpCaller(place.url, place.key === null ? [] : [place.key]);
  const headers = place.key === null ? {} : dialect.headers(place.key);

  async function ask(question: Omit<HttpQuestion, 'headers'>): Promise<unknown> {
    const signal = AbortSignal.timeout(place.timeoutMs);
    const { status, json } = await http.send({ ...question, headers }, signal);
    if (status !== 200 || json === undefined) throw new Error(`${name} answered ${status}`);
    return json;
  }

  const lists = async (): Promise<RemoteList[]> => dialect.readLists(await ask(dialect.lists));

  async function standings(kinds: readonly ListKind[]): Promise<ListStanding[]> {
    try {
      const known = new Map((await lists()).map((list) => [list.kind, list]));
      return kinds.map((kind) => {
        const list = known.get(kind);
        return list === undefined ? without(kind, null) : standingOf(list, place.staleDays);
      });
    } catch {
      return kinds.map((kind) => without(kind, `${name} cannot be reached`));
    }
  }

  return {
    name,
    knowsDifferences: false,
    async versions(): Promise<Versions> {
      const found = (await lists()).map(({ kind, version }) => [kind, version] as const);
      return Object.fromEntries(found.toSorted(([one], [other]) => (one < other ? -1 : 1)));
    },
    standings,
    async screen(order): Promise<Screening> {
      const before = await standings(order.kinds);
      let hits: Hit[] = [];
      let seen = before;
      try {
        const answer = await ask(dialect.search(order.subject, order.threshold));
        hits = explain(order, dialect.readFound(answer));
      } catch {
        seen = order.kinds.map((kind) => without(kind, `${name} cannot be reached`));
      }
      return {
        engine: name,
        lists: seen,
        incomplete: seen.some(({ state }) => state !== 'current'),
        answered: seen.flatMap(({ kind, sha256 }) => (sha256 === null ? [] : [kind])),
        hits,
      };
    },
  };
}
