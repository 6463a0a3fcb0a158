import { randomFillSync } from 'node:crypto';

/**
 * Every resource id is a TypeID, version 0.3: a prefix that names the resource and
 * a UUIDv7 in Crockford base32. The same string is the REST id, the GraphQL global id and the SQL
 * primary key. Because the UUID begins with its time, ids of one resource sort by creation.
 */
export const idPrefixes = {
  business: 'biz',
  tenant: 'ten',
  user: 'usr',
  membership: 'mem',
  apiKey: 'key',
  operatorKey: 'opk',
  operatorUser: 'opu',
  session: 'ses',
  passkey: 'psk',
  beneficiary: 'ben',
  bankAccount: 'bac',
  enrollment: 'enr',
  bankConnection: 'bcn',
  payout: 'pay',
  decision: 'dec',
  disbursementAttempt: 'dat',
  fundingAccount: 'fac',
  ledgerEntry: 'ent',
  webhookSubscription: 'whs',
  event: 'evt',
  webhookDelivery: 'wdl',
  export: 'exp',
  taxDocument: 'txd',
  bankBatch: 'bbt',
  bankFile: 'bfl',
  bankLine: 'bln',
  bankStrayAnswer: 'bsa',
  bankAccountProposal: 'bap',
  proposedChange: 'pch',
  approvalGroup: 'apg',
  approvalDelegation: 'apd',
  screeningResult: 'scr',
  screeningHit: 'sch',
  nameCheck: 'nck',
  stepUp: 'sup',
  request: 'req',
  worker: 'wrk',
} as const;

export type Resource = keyof typeof idPrefixes;

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const suffixPattern = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

const resourceByPrefix = new Map<string, Resource>(
  Object.entries(idPrefixes).map(([resource, prefix]) => [prefix, resource as Resource]),
);

let lastMillisecond = 0;
let counter = 0;

/** Random bytes are asked for by the thousand: one call for each id costs ten times as much. */
const randomPool = new Uint8Array(4_096);
let poolUsed = randomPool.length;

function randomBytes16(): Uint8Array {
  if (poolUsed === randomPool.length) {
    randomFillSync(randomPool);
    poolUsed = 0;
  }
  poolUsed += 16;
  return randomPool.slice(poolUsed - 16, poolUsed);
}

/**
 * Makes the 16 bytes of a UUIDv7 (RFC 9562, section 5.7). Ids of one process are strictly
 * increasing: the 12 bits after the version are a counter within the millisecond (RFC 9562,
 * section 6.2, method 1), and an exhausted counter borrows the next millisecond.
 */
function uuidV7Bytes(): Uint8Array {
  const now = Date.now();
  if (now > lastMillisecond) {
    lastMillisecond = now;
    counter = 0;
  } else {
    counter += 1;
    if (counter > 0xfff) {
      lastMillisecond += 1;
      counter = 0;
    }
  }
  const bytes = randomBytes16();
  const view = new DataView(bytes.buffer);
  view.setUint32(0, Math.floor(lastMillisecond / 0x10000));
  view.setUint16(4, lastMillisecond % 0x10000);
  view.setUint16(6, 0x7000 | counter);
  view.setUint8(8, (view.getUint8(8) & 0x3f) | 0x80);
  return bytes;
}

/** 128 bits as 26 base32 digits: the first digit holds the top 3 bits, each other digit 5. */
function base32(bytes: Uint8Array): string {
  let text = '';
  let buffer = 0;
  let bits = 2; // two zero bits in front make 130 = 26 × 5
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet.charAt((buffer >> bits) & 31);
    }
    buffer &= (1 << bits) - 1;
  }
  return text;
}

/** A new id for `resource`, for example `pay_01k9…`. */
export function newId(resource: Resource): string {
  return `${idPrefixes[resource]}_${base32(uuidV7Bytes())}`;
}

/**
 * A text that sorts before every id of `resource` made at the time or later, and after every id made
 * before it. Ids sort by the clock of the process that made them.
 * @param at milliseconds since 1970; a time that a UUIDv7 cannot hold counts as its first or last
 * moment
 */
export function idBoundary(resource: Resource, at: number): string {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  const time = Math.min(Math.max(Math.floor(at), 0), 2 ** 48 - 1);
  view.setUint32(0, Math.floor(time / 0x10000));
  view.setUint16(4, time % 0x10000);
  return `${idPrefixes[resource]}_${base32(bytes)}`;
}

/** Whether `text` is a well-formed id of `resource`. A malformed id is answered like an unknown one. */
export function isId(resource: Resource, text: string): boolean {
  const prefix = idPrefixes[resource];
  return (
    text.length === prefix.length + 27 &&
    text.startsWith(prefix) &&
    text.charAt(prefix.length) === '_' &&
    suffixPattern.test(text.slice(prefix.length + 1))
  );
}

/** The resource that a well-formed id names, or null. */
export function resourceOf(id: string): Resource | null {
  const resource = resourceByPrefix.get(id.slice(0, Math.max(id.indexOf('_'), 0)));
  return resource !== undefined && isId(resource, id) ? resource : null;
}
