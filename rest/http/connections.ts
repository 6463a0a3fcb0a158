import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of a server. */
export interface Connections {
  /** The answers under way on a connection. */
  answersOn(socket: Socket): ReadonlySet<ServerResponse>;
  /**
   * Takes no connection any more and closes those on which nothing is asked. The others close with the answers
   * under way, which say so, since a client that finds its connection usable goes on asking. Resolves when all are
   * closed.
   */
  drain(): Promise<void>;
}

const none: ReadonlySet<ServerResponse> = new Set();

/**
 * Keeps the connections of a server, before it listens. Node's own `close` waits for a client that goes on asking,
 * for one that has been answered and keeps its connection, and for one that never asked, as browsers open them in
 * advance (https://nodejs.org/api/http.html#serverclosecallback).
 */
export function keepConnections(server: Server): Connections {
  const open = new Map<Socket, Set<ServerResponse>>();
  let draining = false;

  server.on('connection', (socket: Socket) => {
    open.set(socket, new Set());
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    const answers = open.get(socket);
    answers?.add(response);
    if (draining) response.shouldKeepAlive = false;
    response.once('close', () => {
      answers?.delete(response);
      if (draining && answers?.size === 0) socket.destroySoon();
    });
  });
  return {
    answersOn: (socket) => open.get(socket) ?? none,
    async drain() {
      draining = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const answers of open.values()) {
        for (const response of answers) response.shouldKeepAlive = false;
      }
      // A request that has arrived is read within one turn of the event loop.
      await new Promise(setImmediate);
      for (const [socket, answers] of open) if (answers.size === 0) socket.destroySoon();
      await closed;
    },
  };
}
