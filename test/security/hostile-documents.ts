/** What a client may send as one operation. */
export interface Hostile {
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  readonly operationName?: string;
}

/** Two sizes, up to some thousands, and numbers from 0 up to 1 that a seed repeats. */
interface Dice {
  readonly n: number;
  readonly m: number;
  readonly random: () => number;
}

type Shape = (dice: Dice) => Hostile;

/** No body is larger than 1 MiB; what is said about it takes some of that. */
const longest = 1_000_000;

const times = (count: number, make: (i: number) => string, between = ' '): string =>
  Array.from({ length: count }, (_, i) => make(i)).join(between);

function pick<T>({ random }: Dice, from: readonly T[]): T {
  const picked = from[Math.floor(random() * from.length)];
  if (picked === undefined) throw new Error('there is nothing to pick from');
  return picked;
}

const nest = (depth: number, open: string, innermost: string, close: string): string =>
  open.repeat(depth) + innermost + close.repeat(depth);

/** Where a fragment may stand, and what it may ask for there. */
const places = [
  { type: 'Query', open: '{', close: '}', leaf: '__typename' },
  { type: 'Mutation', open: 'mutation {', close: '}', leaf: 'payoutCancel(payoutId: "p") { id }' },
  { type: '__Schema', open: '{ __schema {', close: '} }', leaf: 'types { name }' },
  { type: '__Type', open: '{ __schema { types {', close: '} } }', leaf: 'fields { name }' },
  { type: 'Payout', open: '{ payouts { edges { node {', close: '} } } }', leaf: 'id state' },
] as const;

/** Fragments that each spread others several times; `next` says which. */
function chain(dice: Dice, next: (i: number, count: number) => string): Hostile {
  const place = pick(dice, places);
  const count = Math.min(dice.n, 400);
  const fragment = (i: number): string =>
    `fragment F${i} on ${place.type} { ${place.leaf} ${next(i, count)} }`;
  return { query: `${place.open} ...F0 ${place.close} ${times(count, fragment)}` };
}

/** A field that answers with what it stands in, as far as the schema has one. */
const selfSpread = ['...', '... on Query', '... @include(if: true)'] as const;

/** Values that nest, by their brackets. */
const brackets = [
  ['[', ']'],
  ['{a: ', '}'],
  ['[{a: [', ']}]'],
] as const;

const literals: readonly ((length: number) => string)[] = [
  (length) => `"${'x'.repeat(length)}"`,
  (length) => `"""${'x\n'.repeat(length / 2)}"""`,
  (length) => `"""${'\\"""'.repeat(length / 4)}"""`,
  (length) => `"${'\\u0041'.repeat(length / 6)}"`,
  (length) => `"${'\\u{1F600}'.repeat(length / 9)}"`,
  (length) => `"${'😀'.repeat(length / 2)}"`,
  (length) => '9'.repeat(length),
  (length) => `-${'9'.repeat(length / 2)}.${'9'.repeat(length / 2)}e99`,
  (length) => 'n'.repeat(length),
  (length) => `"${'x'.repeat(length)}`,
  (length) => `"""${'"'.repeat(length)}`,
  (length) => `[${'1,'.repeat(length / 2)}]`,
];

const gaps = ['\n', '\r\n', ',', ' ', '\uFEFF', '#\n', '# a comment\r', '\t,'] as const;

const states = '[PayoutState!]';
const listing = 'payouts(filter: { state: $s }) { edges { cursor } }';

const hugeVariables: readonly ((n: number) => Record<string, unknown>)[] = [
  (n) => ({ s: Array.from({ length: n * 20 }, () => 'settled') }),
  (n) => ({ s: Array.from({ length: n * 50 }, () => 'no such state') }),
  (n) => ({ s: Array.from({ length: n * 50 }, () => 7) }),
  (n) => ({ s: Object.fromEntries(Array.from({ length: n * 10 }, (_, i) => [`k${i}`, i])) }),
  (n) => ({ s: 'x'.repeat(n * 300) }),
  (n) => ({ s: JSON.parse(nest(30, '[', '0', ']')) as unknown, [`t${n}`]: 1 }),
  (n) => Object.fromEntries(Array.from({ length: n * 20 }, (_, i) => [`v${i}`, [i]])),
];

const tokens = [
  '{', '}', '(', ')', '[', ']', ':', '=', '!', '|', '&', '$', '@', '...', 'query', 'mutation',
  'fragment', 'on', 'subscription', 'F', 'me', 'payouts', 'edges', 'node', 'id', '__schema', 'types',
  'fields', 'skip', 'if', 'true', 'null', '1', '1.5', '"x"', '""" y """', 'Query', 'extend', 'type',
] as const; // prettier-ignore

/** Documents that are made to cost more than their length, each kind by its name. */
export const shapes = {
  'fragments that double': (dice) =>
    chain(dice, (i, count) =>
      i + 1 < count ? `...F${i + 1} `.repeat(2 + Math.floor(dice.random() * 3)) : '',
    ),
  'fragments that double below aliases': ({ n }) => {
    const count = Math.min(n, 200);
    const body = (i: number): string =>
      i + 1 < count ? `a: ofType { ...F${i + 1} } b: ofType { ...F${i + 1} }` : 'name';
    const fragment = (i: number): string => `fragment F${i} on __Type { ${body(i)} }`;
    return { query: `{ __type(name: "Query") { ...F0 } } ${times(count, fragment)}` };
  },
  'fragments in a circle': (dice) => chain(dice, (i, count) => `...F${(i + 1) % count}`),
  'fragments that spread at random': (dice) =>
    chain(dice, (_i, count) =>
      times(1 + (dice.m % 6), () => `...F${Math.floor(dice.random() * (count + 1))}`),
    ),
  'fragments that spread all later ones': (dice) =>
    chain(dice, (i, count) => times(Math.min(count - i - 1, 40), (j) => `...F${i + j + 1}`)),
  'fragments that nobody spreads': (dice) => {
    const fragment = (i: number): string =>
      `fragment F${i} on Query { a: me { role } ...F${i - 1} }`;
    return { query: `{ me { role } } ${times(Math.min(dice.n, 300), fragment)}` };
  },
  'one field again and again': (dice) => {
    const field = pick(dice, [
      'me { role }',
      'a: me { b: role }',
      'payouts { edges { node { id } } }',
    ]);
    return { query: `{ ${times(dice.n, () => field)} }` };
  },
  'one field again and again, at each level': ({ n, m }) => {
    const wide = Math.max(1, Math.min(40, n));
    let selection = 'id';
    for (const name of ['node', 'edges', 'payouts']) {
      selection = times(Math.max(1, m % wide), () => `${name} { ${selection} }`).slice(0, longest);
    }
    return { query: `{ ${selection} }` };
  },
  aliases: (dice) => {
    const field = pick(dice, [
      '__typename',
      'corridor(country: "DE") { country }',
      'node(id: "x") { id }',
      'payouts(first: 100) { edges { node { id decisions { id } transitions { toState } } } }',
      'collectionForm(token: "x") { state }',
      '__type(name: "Payout") { fields { name } }',
      'me { role }',
    ]);
    return { query: `{ ${times(dice.n, (i) => `a${i}: ${field}`, pick(dice, gaps))} }` };
  },
  'aliases of commands': ({ n }) => ({
    query: `mutation { ${times(n, (i) => `a${i}: payoutCancel(payoutId: "x") { id }`)} }`,
  }),
  'conflicting aliases': (dice) => {
    const field = (i: number): string =>
      `a: corridor(country: "${i % (1 + (dice.m % 9))}") { country }`;
    return { query: `{ ${times(dice.n, field)} }` };
  },
  'selections that nest': (dice) => ({
    query: `{ ${nest(dice.n, `${pick(dice, selfSpread)} {`, '__typename', '}')} }`,
  }),
  'fields that nest': ({ n }) => ({ query: nest(n, '{ a', '', '}') }),
  'brackets that nobody closes': (dice) => ({
    query: pick(dice, ['{', '[', '(', '{a(b:', '{a(b:[', '{...{', 'query($a:[']).repeat(
      dice.n * 50,
    ),
  }),
  'values that nest': (dice) => {
    const [open, close] = pick(dice, brackets);
    const field = pick(dice, ['payouts(filter:', 'node(id:', 'corridor(country:']);
    return { query: `{ ${field} ${nest(dice.n, open, '1', close)}) { __typename } }` };
  },
  'types that nest': ({ n }) => ({
    query: `query ($a: ${nest(n, '[', 'Int', ']')}) { node(id: $a) { id } }`,
  }),
  'a huge literal': (dice) => {
    const literal = pick(dice, literals)(Math.min(longest, dice.n * dice.m));
    return { query: `{ corridor(country: ${literal}) { country } }` };
  },
  'a huge default': (dice) => {
    const literal = pick(dice, literals)(Math.min(longest, dice.n * 30));
    return { query: `query ($c: String! = ${literal}) { corridor(country: $c) { country } }` };
  },
  'nothing, for long': (dice) => ({
    query: `{ me ${pick(dice, gaps).repeat(Math.min(dice.n * 100, longest / 12))} { role } }`,
  }),
  'errors after many lines': (dice) => ({
    query: `{ ${times(Math.min(dice.n, 700), (i) => `a${i}: nothing`, '\n'.repeat(dice.m % 40))} }`,
  }),
  'refusals after many lines': (dice) => ({
    query: `mutation { ${'\n'.repeat(dice.m)} ${times(dice.n % 12, (i) => `a${i}: payoutCancel(payoutId: "x") { id }`)} }`,
  }),
  directives: (dice) => {
    const directive = pick(dice, [
      '@skip(if: false)',
      '@include(if: $a)',
      '@nothing',
      '@skip(if: [[[1]]])',
      '@deprecated',
      '@oneOf',
    ]);
    return {
      query: `query ($a: Boolean = true) { me ${times(dice.n, () => directive)} { role } }`,
    };
  },
  'variables that nobody uses': ({ n }) => ({
    query: `query (${times(n, (i) => `$v${i}: Int`)}) { me { role } }`,
  }),
  'variables that nobody declares': ({ n }) => ({
    query: `{ ${times(n, (i) => `a${i}: node(id: $v${i}) { id }`)} }`,
  }),
  'variables in every fragment of every operation': ({ n, m }) => {
    const [operations, count] = [Math.min(n, 200), Math.min(m, 200)];
    const spreads = times(count, (i) => `...F${i}`);
    return {
      query: `${times(operations, (i) => `query Q${i} { ${spreads} }`)} ${times(count, (i) => `fragment F${i} on Query { node(id: $v${i}) { id } }`)}`,
      operationName: `Q${operations - 1}`,
    };
  },
  'huge variables': (dice) => ({
    query: `query ($s: ${states}) { ${listing} }`,
    variables: pick(dice, hugeVariables)(Math.min(dice.n, 2_000)),
  }),
  'huge variables of any JSON': ({ n }) => ({
    query:
      'mutation ($h: JSON!) { providerEventReceive(provider: "none", rawBody: "", headers: $h) }',
    variables: {
      h: Object.fromEntries(Array.from({ length: n * 15 }, (_, i) => [`h${i}`, [[i]]])),
    },
  }),
  'rows of a bulk that are none': (dice) => ({
    query:
      'mutation ($p: [PayoutCreateInput]!) { payoutBulkCreate(dryRun: true, payouts: $p) { index } }',
    variables: {
      p: Array.from({ length: dice.n * 20 }, () => pick(dice, [null, {}, { amountMinor: [] }, 1])),
    },
  }),
  'lists that are too long': (dice) => {
    const command = pick(dice, [
      'webhookSubscriptionUpsert(input: { url: "https://example.com", enabledEvents: $l }) { secret }',
      'payoutBulkApprove(payoutIds: $l) { index }',
      'payoutApprove(payoutId: "x", reasons: [{ code: "A", message: "b" }]) { payout { id } }',
    ]);
    const type = command.startsWith('webhook') ? '[String!]!' : '[ID!]!';
    return {
      query: `mutation ($l: ${type}) { ${command} }`,
      variables: { l: Array.from({ length: dice.n * 20 }, (_, i) => `item ${i}`) },
    };
  },
  'many operations': (dice) => {
    const name = pick(dice, ['Q', 'nothing', 'Q0', 'x'.repeat(dice.n * 100)]);
    return {
      query: times(dice.n, (i) => `query ${pick(dice, ['Q', `Q${i}`])} { me { role } }`),
      operationName: name,
    };
  },
  'the schema within the schema': ({ n }) => {
    const levels = 1 + (n % 12);
    const below = 'types { name fields { name args { name type { name } } type {';
    return {
      query: `{ __schema { ${below} ${nest(levels, 'fields { type {', 'name', '} }')} } } } } }`,
    };
  },
  'the schema under many names': ({ n, m }) => {
    const types = times(
      1 + (m % 60),
      (j) => `t${j}: types { fields { type { ofType { name } } } }`,
    );
    return { query: `{ ${times(1 + (n % 60), (i) => `s${i}: __schema { ${types} }`)} }` };
  },
  'possible types of types': ({ n }) => {
    const inner = 'kind name ofType { kind name ofType { kind name ofType { kind name } } }';
    const lists = ['fields', 'interfaces', 'possibleTypes', 'inputFields', 'enumValues'];
    const list = lists[n % lists.length] ?? 'fields';
    return {
      query: `{ __schema { types { ${list} { name } fields { type { ${inner} } args { type { ${inner} ${list} { name } } } } } } }`,
    };
  },
  'pages of pages': (dice) => ({
    query: `{ payouts(first: 100) { edges { node { ${times(dice.n % 200, (i) => `d${i}: decisions { id }`)} } } } }`,
  }),
  'tokens at random': (dice) => ({ query: times(dice.n, () => pick(dice, tokens)) }),
} satisfies Record<string, Shape>;

export type ShapeName = keyof typeof shapes;

/** One hostile operation; its text is cut where no body could hold it. */
export function hostile(shape: ShapeName, dice: Dice): Hostile {
  const made: Hostile = shapes[shape](dice);
  return { ...made, query: made.query.slice(0, longest) };
}
