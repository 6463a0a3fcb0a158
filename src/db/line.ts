import { Socket } from 'node:net';

/** The database does not answer, or answers that it cannot serve. Its message says which, for operators. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway';
}

/**
 * The connections of one pool, as sockets that can be cut together. Cut, every statement under way fails with
 * DatabaseAway, and so does each that follows, at once, until the line is open again. A session of before the
 * cut is never used again: it may belong to a server that is no longer the primary.
 */
export class DatabaseLine {
  readonly #sockets = new Set<Socket>();
  #reason: string | null = null;
  /** Is told the code of each error that the server sends on one of the connections. */
  onServerError: (code: string | undefined) => void = () => {};

  /** The socket of a new connection. While the line is cut, it fails as soon as it is used. */
  socket(): Socket {
    const socket = new Socket();
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    const problem = this.problem();
    // After pg has begun to connect it and listens to its errors.
    if (problem !== null) process.nextTick(() => socket.destroy(problem));
    return socket;
  }

  /** The error of each use while the line is cut, else null. */
  problem(): DatabaseAway | null {
    return this.#reason === null ? null : new DatabaseAway(this.#reason);
  }

  cut(reason: string): void {
    this.#reason = reason;
    for (const socket of this.#sockets) socket.destroy(new DatabaseAway(reason));
  }

  open(): void {
    this.#reason = null;
  }
}
