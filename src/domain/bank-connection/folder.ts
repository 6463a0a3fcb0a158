import { posix } from 'node:path';

/** What a connection's transport says of where its files are. */
export interface TransportPlace {
  readonly folder?: string;
  readonly host?: string;
  readonly port?: number;
  readonly username?: string;
  readonly hostKey?: string;
  readonly outFolder?: string;
  readonly inFolder?: string;
}

/** One folder of a connection, in a form in which two spellings of one folder are equal. */
export interface Folder {
  /** The part of the transport that names it. */
  readonly field: 'folder' | 'outFolder' | 'inFolder';
  /** The server, by its key and by its name with the port; none for a mounted directory. */
  readonly servers: readonly string[];
  readonly login: string;
  readonly parts: readonly string[];
  /** A path of a server that begins where its login starts, which the service does not know. */
  readonly relative: boolean;
}

/** Servers and file systems exist that do not tell upper case from lower case. */
const plain = (text: string): string => text.normalize('NFC').toLowerCase();

const partsOf = (path: string): string[] => plain(posix.join('/', path)).split('/').filter(Boolean);

/** A host in one spelling: 127.1 is 127.0.0.1, and a dot at the end of a name says nothing. */
function hostOf(host: string): string {
  const bare = host.toLowerCase().replace(/\.+$/, '');
  const url = URL.parse(`http://${bare.includes(':') ? `[${bare}]` : bare}`);
  return url?.hostname ?? bare;
}

/** The folders of a connection; none where people carry its files. */
export function foldersOf(place: TransportPlace): Folder[] {
  const { folder, host, port, username = '', hostKey, outFolder, inFolder } = place;
  if (folder !== undefined) {
    return [{ field: 'folder', servers: [], login: '', parts: partsOf(folder), relative: false }];
  }
  if (host === undefined || outFolder === undefined || inFolder === undefined) return [];
  const servers = [`${hostOf(host)} ${String(port)}`, ...(hostKey === undefined ? [] : [hostKey])];
  const on = { servers, login: plain(username) };
  const at = (path: string) => ({ parts: partsOf(path), relative: !path.startsWith('/') });
  return [
    { field: 'outFolder', ...on, ...at(outFolder) },
    { field: 'inFolder', ...on, ...at(inFolder) },
  ];
}

const begins = (path: readonly string[], beginning: readonly string[]): boolean =>
  beginning.every((part, index) => path[index] === part);

const overlap = (one: readonly string[], other: readonly string[]): boolean =>
  begins(one, other) || begins(other, one);

/**
 * Whether one of two folders is the other or lies in it. Servers of banks show each login a tree of its own, so
 * the same path of another login is another folder. Whether a path that begins where the login starts is the same
 * as one from the root, the server alone knows: they count as the same where some start would make them so.
 */
export function meet(one: Folder, other: Folder): boolean {
  const sameServer =
    one.servers.length === 0
      ? other.servers.length === 0
      : one.servers.some((server) => other.servers.includes(server));
  if (!sameServer || one.login !== other.login) return false;
  if (overlap(one.parts, other.parts)) return true;
  if (one.relative === other.relative) return false;
  const [whole, tail] = one.relative ? [other.parts, one.parts] : [one.parts, other.parts];
  return whole.some((_part, start) => overlap(whole.slice(start), tail));
}
