import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A message of PostgreSQL's protocol by which a server refuses a session, as one that is starting up does. */
function refusal(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** The way to a database, which a test can break. */
export interface Network {
  /** The database's address by this way. */
  readonly url: string;
  /** Goes on, also with what was held back. */
  heal(): Promise<void>;
  /** Forwards nothing in either direction, without closing a connection: a frozen server, a lost host. */
  freeze(): void;
  /** Cuts every connection. New ones work. */
  cut(): void;
  /** Cuts every connection and refuses new ones, as a machine without a server does. */
  refuse(): Promise<void>;
  /** Cuts every connection and answers new ones with this error, as a server in recovery does. */
  answer(code: string, message: string): void;
  /** Called with each piece that a client sends, before it is forwarded; what is cut then does not arrive. */
  onSent: (bytes: Buffer) => void;
  /** Called with each piece of the database's answers, before it is forwarded. */
  onAnswered: (bytes: Buffer) => void;
  close(): Promise<void>;
}

type State = { readonly kind: 'well' | 'frozen' } | { readonly kind: 'answers'; error: Buffer };

/** Starts a way to the database of `target` that leads over this process. */
export async function startNetwork(target: string): Promise<Network> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  /** How what a pair of sockets receives is passed on. */
  const flow = new Map<readonly [Socket, Socket], () => void>();
  let state: State = { kind: 'well' };

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    return socket;
  }

  /** Connects a client with the server, in both directions. */
  function forward(client: Socket): void {
    const upstream = keep(connect(Number(port), hostname));
    client.on('data', (bytes: Buffer) => network.onSent(bytes)).pause();
    upstream.on('data', (bytes: Buffer) => network.onAnswered(bytes)).pause();
    const ends = [client, upstream] as const;
    ends[0].once('close', () => ends[1].destroy());
    ends[1].once('close', () => ends[0].destroy());
    flow.set(ends, () => {
      client.pipe(upstream);
      upstream.pipe(client);
    });
    for (const socket of ends) socket.once('close', () => flow.delete(ends));
    if (state.kind === 'well') flow.get(ends)?.();
  }

  const server = createServer((client) => {
    keep(client);
    if (state.kind === 'answers') {
      const { error } = state;
      client.once('data', () => client.end(error));
    } else forward(client);
  });

  function cut(): void {
    for (const socket of sockets) socket.destroy();
  }

  async function listen(on: number): Promise<void> {
    server.listen(on, '127.0.0.1');
    await once(server, 'listening');
  }

  await listen(0);
  const own = (server.address() as AddressInfo).port;
  const network: Network = {
    url: Object.assign(new URL(target), { host: `127.0.0.1:${own}` }).href,
    onSent: () => undefined,
    onAnswered: () => undefined,
    async heal() {
      const held = state.kind === 'frozen' ? [...flow.values()] : [];
      state = { kind: 'well' };
      for (const begin of held) begin();
      if (!server.listening) await listen(own);
    },
    freeze() {
      if (state.kind === 'frozen') return;
      state = { kind: 'frozen' };
      for (const [client, upstream] of flow.keys()) {
        client.unpipe().pause();
        upstream.unpipe().pause();
      }
    },
    cut,
    async refuse() {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
    answer(code, message) {
      state = { kind: 'answers', error: refusal(code, message) };
      cut();
    },
    async close() {
      if (server.listening) await network.refuse();
    },
  };
  return network;
}
