import { describe, expect, it } from 'vitest';
import { ListProblem } from '../../../src/screening/lists/problem.ts';
import { readList } from '../../../src/screening/lists/read-list.ts';
import { context } from './support.ts';

const start =
  '<sdnList><publshInformation><Publish_Date>08/07/2026</Publish_Date></publshInformation>';
const entry = (id: number) =>
  `<sdnEntry><uid>${id}</uid><lastName>NAME ${id}</lastName><sdnType>Entity</sdnType><akaList><aka>` +
  `<type>a.k.a.</type><category>strong</category><lastName>OTHER ${id}</lastName></aka></akaList></sdnEntry>`;

/** Gives pieces for as long as somebody asks, and counts them. */
function endless(before: string, piece: string) {
  const given = { bytes: 0 };
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(start + before);
    const more = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)));
    for (;;) {
      given.bytes += more.length;
      yield more;
    }
  }
  return { given, main: bytes() };
}

describe('a list without an end', () => {
  it.each([
    ['a text', 'too_long', '<sdnEntry><lastName>', 'NAME '],
    ['an entry', 'too_many_parts', '<sdnEntry>', '<akaList></akaList>'],
    ['elements in each other', 'too_deep', '<sdnEntry>', '<akaList>'],
    ['a tag', 'too_long', '<sdnEntry><lastName ', 'a'],
  ])('is refused after little of it: %s', async (_what, code, before, piece) => {
    const { given, main } = endless(before, piece);
    const reading = readList('ofac_sdn', { main }, context);
    const problem = await reading.next().catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(ListProblem);
    expect(problem).toMatchObject({ code });
    expect(given.bytes).toBeLessThan(8_388_608);
  });

  it('is refused in CSV: a row', async () => {
    const { given, main } = endless('', 'x');
    const reading = readList('own', { main: skipFirst(main) }, context);
    await expect(reading.next()).rejects.toMatchObject({ code: 'too_long' });
    expect(given.bytes).toBeLessThan(8_388_608);
  });

  it('gives its entries while it is read', async () => {
    let made = 0;
    async function* bytes(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(start);
      for (; made < 50_000; made += 1) yield Buffer.from(entry(made));
      yield Buffer.from('</sdnList>');
    }
    const reading = readList('ofac_sdn', { main: bytes() }, context);
    for (let read = 0; read < 100; read += 1) await reading.next();
    expect(made).toBeLessThan(200);
    await reading.return({ date: '', entries: 0, names: 0, passed: 0 });
  });
});

async function* skipFirst(bytes: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  await bytes.next();
  yield* bytes;
}
