import type { ServerResponse } from 'node:http';
import type { Stream, StreamEnd, StreamPiece } from '../../schema/stream.ts';

/** How long a reader may take nothing while bytes wait for it. */
const stallMs = 15_000;

/** Before it connects again, a browser waits this long; not all at once after a restart. */
const retryMs = () => Math.round(1_000 + 2_000 * Math.random());

const event = (name: string, data: string): string => `event: ${name}\ndata: ${data}\n\n`;

/** A piece as the bytes of a server-sent event. One with an id alone moves the reader's Last-Event-ID. */
const pieceText = ({ id, result }: StreamPiece): string =>
  result === null ? `:\nid: ${id}\n\n` : `id: ${id}\n${event('next', JSON.stringify(result))}`;

/**
 * A stream that failed is complete after its error, so that a client does not come again. One that was
 * interrupted has no such event: the client takes it for a broken connection, and resumes.
 */
const endText = (end: StreamEnd): string =>
  end.kind === 'interrupted'
    ? `: ${end.reason}\n\n`
    : event('next', JSON.stringify(end.result)) + event('complete', '');

/** Waits until the reader has taken what was written, and cuts it off if it takes nothing for too long. */
function drained(response: ServerResponse, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), ms);
    const done = (): void => {
      clearTimeout(timer);
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

/**
 * Answers with server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), in the
 * form of GraphQL over SSE, distinct connections mode
 * (https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md). The next piece is made when the reader
 * has taken the one before.
 *
 * @param stream has to end soon after the response is closed
 */
export async function sendStream(
  response: ServerResponse,
  stream: Stream,
  mostStallMs = stallMs,
): Promise<void> {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    // The connection serves nothing after it, so that a server that stops need not wait for it.
    Connection: 'close',
    // A proxy that collects answers before it passes them on would hold the events back.
    'X-Accel-Buffering': 'no',
  });
  const write = async (text: string): Promise<void> => {
    if (response.closed || response.destroyed) return;
    if (!response.write(text)) await drained(response, mostStallMs);
  };
  await write(`retry: ${retryMs()}\n\n`);
  for (;;) {
    const next = await stream.next();
    await write(next.done === true ? endText(next.value) : pieceText(next.value));
    if (next.done === true) break;
  }
  response.end();
}
