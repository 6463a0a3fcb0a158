import type { Bytes } from './entry.ts';

async function* joined(held: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>) {
  try {
    yield* held;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      yield next.value;
    }
  } finally {
    await rest.return?.();
  }
}

/** The first bytes of a stream, and the whole stream with them. It is read no further than that. */
export async function withFirst(
  bytes: Bytes,
  count: number,
): Promise<{ readonly first: Uint8Array; readonly all: Bytes }> {
  const rest = bytes[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  let length = 0;
  while (length < count) {
    const next = await rest.next();
    if (next.done === true) break;
    held.push(next.value);
    length += next.value.length;
  }
  return { first: Buffer.concat(held).subarray(0, count), all: joined(held, rest) };
}
