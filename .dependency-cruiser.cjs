/**
 * The rooms of docs/architecture.md and what may enter them. Each rule states its reason, and each
 * has a folder of its name in test/architecture/fixtures that breaks it and nothing else.
 *
 * Paths of packages have no `^`, because a fixture resolves them from a folder further up.
 */
/** Parts with one purpose each that know nothing of payouts; services.ts puts them together. */
const small = '^src/(values|process|queue|concurrency)/';
/** The programs: every file at the root of src/, and the main files of what stands beside it. */
const entryPoints = [
  '^src/[a-z-]+\\.ts$',
  '^dev/(start|key|mailbox/main|demo/run)\\.ts$',
  '^simulator/main\\.ts$',
];
/** What is in the container image. */
const production = '^(src|schema|rest|jobs|simulator)/';
const npm = (names) => `(^|/)node_modules/(${names})(/|$)`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    // The graph as a whole
    {
      name: 'no-cycles',
      comment:
        'Modules that import each other cannot be read, tested or moved alone. Imports of types count too.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      comment: 'An import that cannot be resolved fails only when its branch first runs.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-undeclared-package',
      comment:
        'A package that is installed only because another one needs it may disappear with the next update. Declare it.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-deprecated-package',
      comment: 'Nobody maintains it, so nobody fixes its next vulnerability.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['deprecated'] },
    },
    {
      name: 'no-deprecated-core-module',
      comment: 'Node keeps these for old programs only and may remove them.',
      severity: 'error',
      from: {},
      to: {
        dependencyTypes: ['core'],
        path: '^(node:)?(punycode|domain|constants|sys|_linklist|_stream_wrap)$',
      },
    },
    {
      name: 'no-dev-dependency-in-production',
      comment:
        'The image is installed with `npm ci --omit=dev`, so a development dependency is missing there. Its types may be imported: they are erased.',
      severity: 'error',
      from: { path: production },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'production-never-imports-tests-or-tools',
      comment: 'test/, dev/ and tools/ are not in the image.',
      severity: 'error',
      from: { path: production },
      to: { path: '^(test|dev|tools)/' },
    },
    {
      name: 'nothing-imports-an-entry-point',
      comment:
        'An entry point starts a program: importing one opens ports and pools as a side effect. What two of them share belongs in a room.',
      severity: 'error',
      from: {},
      to: { path: entryPoints },
    },

    // rest/
    {
      name: 'rest-never-domain',
      comment:
        'A route is a row in a table and a GraphQL document. A handler that calls the domain holds a rule that GraphQL callers would miss. The names of the event types hold dots, which no enum of GraphQL may, and their list is no rule. Nor are the tables of the fields of a payout, a batch of them, a payee, an account and whoever can pay, of which every surface is made.',
      severity: 'error',
      from: { path: '^rest/' },
      to: {
        path: '^src/domain/',
        pathNot:
          '^src/domain/(event/(types|declaration)|(payout|payout-batch|beneficiary|bank-account|route)/fields)\\.ts$',
      },
    },
    {
      name: 'rest-never-prisma',
      comment:
        'REST reads through the schema, whose client adds the tenant to every operation. A query from here would not be confined to a tenant.',
      severity: 'error',
      from: { path: '^rest/' },
      to: { path: ['^generated/', '^prisma/', npm('@prisma|prisma')] },
    },
    {
      name: 'rest-uses-only-its-rooms',
      comment:
        'rest/ may use the schema, access, errors and the small parts of src/. It reaches providers, jobs and the database only through the schema, apart from the readiness probe.',
      severity: 'error',
      from: { path: '^rest/' },
      to: {
        path: '^(src|jobs)/',
        pathNot: [
          '^src/domain/',
          '^src/(access|errors|crypto|reference)/',
          '^src/db/(ready|unavailable)\\.ts$',
          '^src/net/client-address\\.ts$',
          small,
          ...entryPoints,
        ],
      },
    },

    // schema/
    {
      name: 'schema-never-rest-or-jobs',
      comment: 'REST and dashboards are built on the schema; it does not know who calls it.',
      severity: 'error',
      from: { path: '^schema/' },
      to: { path: '^(rest|jobs)/' },
    },
    {
      name: 'schema-never-express',
      comment:
        'Resolvers also run in process, without an HTTP request. What they need from a request is in the context.',
      severity: 'error',
      from: { path: '^schema/' },
      to: { path: npm('express|helmet') },
    },
    {
      name: 'schema-never-worker',
      comment: 'Jobs are added by the domain, in the transaction of the change that causes them.',
      severity: 'error',
      from: { path: '^schema/' },
      to: { path: npm('graphile-worker') },
    },
    {
      name: 'schema-uses-only-its-rooms',
      comment:
        'A resolver calls one domain function or reads through the client of the tenant. Only the domain uses providers, the database and the network; the comparison of names uses none of them.',
      severity: 'error',
      from: { path: '^schema/' },
      to: {
        path: '^src/',
        pathNot: [
          '^src/(domain|access|errors|crypto|reference|screening)/',
          '^src/db/(prisma|unavailable)\\.ts$',
          small,
          ...entryPoints,
        ],
      },
    },

    // src/domain/
    {
      name: 'domain-never-graphql',
      comment:
        'The rules do not depend on the interface: jobs and the command line call the same functions.',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { path: npm('graphql|graphql-yoga|@graphql-[a-z]+|@pothos|@envelop|dataloader') },
    },
    {
      name: 'domain-never-express',
      comment: 'A command takes validated input, not a request; it may run in a job or a test.',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { path: npm('express|helmet') },
    },
    {
      name: 'domain-never-worker',
      comment:
        'Jobs are added with graphile_worker.add_job through the client of the open transaction; the library’s own utilities use another connection.',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { path: npm('graphile-worker') },
    },
    {
      name: 'domain-uses-the-provider-port',
      comment:
        'The disbursement rules are written once, for every provider: against port.ts, not against an adapter. Files of banks are written and read by the domain itself.',
      severity: 'error',
      from: { path: '^src/domain/', pathNot: '^src/domain/bank-(batch|file)/' },
      to: { path: '^src/providers/[^/]+/', pathNot: entryPoints },
    },
    {
      name: 'domain-never-mail',
      comment:
        'A mail server may be slow or away: mail is a job, added in the transaction that gives the reason for it.',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { path: ['^src/mail/', npm('nodemailer')] },
    },
    {
      name: 'src-never-upper-rooms',
      comment:
        'Arrows point inwards: rest, schema and jobs use src. Only the entry points put them together.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: entryPoints,
      },
      to: { path: '^(rest|schema|jobs)/' },
    },
    {
      name: 'small-parts-know-no-room',
      comment:
        'Errors, crypto, reference data, values, the queue, the database and the parts of a process are used by every room, so they can use none but for types, such as that of the scope. services.ts puts them together for a process, and config.ts collects their settings.',
      severity: 'error',
      from: {
        path: ['^src/(errors|crypto|reference|db)/', small],
        pathNot: '^src/process/(services|config)\\.ts$',
      },
      to: {
        path: '^src/(domain|access|providers|mail)/',
        pathNot: entryPoints,
        dependencyTypesNot: ['type-only'],
      },
    },

    // jobs/
    {
      name: 'jobs-never-schema-or-rest',
      comment: 'A job has no caller and no request. What jobs and requests share is in the domain.',
      severity: 'error',
      from: { path: '^jobs/' },
      to: { path: '^(schema|rest)/' },
    },

    // src/providers/
    {
      name: 'adapter-never-another-adapter',
      comment:
        'Providers change independently. Adapters share the port and the files beside it, and nothing else.',
      severity: 'error',
      from: { path: '^src/providers/([^/]+)/' },
      to: {
        path: '^src/providers/[^/]+/',
        pathNot: '^src/providers/$1/',
      },
    },
    {
      name: 'simulator-stands-alone',
      comment:
        'The simulator is the oracle of the tests: code shared with the service would share its mistakes. The signature scheme is the same for providers and subscribers, so it is the one exception.',
      severity: 'error',
      from: { path: '^simulator/' },
      to: {
        path: '^(src|schema|rest|jobs|generated)/',
        pathNot: ['^simulator/', '^src/crypto/signature\\.ts$', ...entryPoints],
      },
    },
    {
      name: 'simulator-only-over-http',
      comment: 'The service reaches the simulator as it reaches a provider: over HTTP.',
      severity: 'error',
      from: { path: production, pathNot: '^simulator/' },
      to: { path: '^simulator/', pathNot: entryPoints },
    },

    // Connections, the demonstration
    {
      name: 'only-db-makes-connections',
      comment:
        'One pool serves Prisma, the stores and the worker, with one set of time-outs and one count of connections. The types of pg may be imported anywhere.',
      severity: 'error',
      from: { path: production, pathNot: '^src/db/' },
      to: { path: npm('pg|pg-pool|pg-native'), dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-telemetry-loads-opentelemetry',
      comment:
        'Traces are an opt-in of `node --import`. The service knows the port src/process/tracing.ts alone, so that nothing of OpenTelemetry is loaded without it.',
      severity: 'error',
      from: { path: production, pathNot: '^src/telemetry\\.ts$' },
      to: { path: npm('@opentelemetry') },
    },
    {
      name: 'client-stands-alone',
      comment:
        'The client is a package of its own that also runs in browsers: it has no dependency, nothing of Node and nothing of the service, which it knows by the OpenAPI document alone.',
      severity: 'error',
      from: { path: '^client/' },
      to: { pathNot: '^client/' },
    },
    {
      name: 'console-stands-alone',
      comment:
        'The console proves that others can build theirs: it has what they have, GraphQL and its schema, from which generated/console-types is made.',
      severity: 'error',
      from: { path: '^console/' },
      to: {
        path: '^(src|schema|rest|jobs|simulator|dev|client|test|tools|generated)/',
        pathNot: ['^generated/console-types/', ...entryPoints],
      },
    },
    {
      name: 'production-never-imports-the-console',
      comment:
        'The service serves the files of its build. Sources of the browser do not run in Node.',
      severity: 'error',
      from: { path: production },
      to: { path: '^console/' },
    },
    {
      name: 'production-never-imports-the-client',
      comment:
        'client/ is not in the image. A service that called itself over HTTP would pass by its own rules twice.',
      severity: 'error',
      from: { path: production },
      to: { path: '^client/' },
    },
    {
      name: 'demo-speaks-http',
      comment:
        'The demonstration shows what an integrator can do, so it has what an integrator has: HTTP and the client, which checks the signatures.',
      severity: 'error',
      from: { path: '^dev/demo/' },
      to: {
        path: ['^(src|schema|rest|jobs|generated|test|tools)/', npm('pg|@prisma|graphile-worker')],
        pathNot: entryPoints,
      },
    },
  ],
  options: {
    // Type-only imports are arrows too; without this they are compiled away before they are seen.
    tsPreCompilationDeps: true,
    doNotFollow: { path: ['node_modules', '^generated/'] },
    exclude: { path: '^test/architecture/fixtures/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
      extensions: ['.ts', '.mts', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
    skipAnalysisNotInRules: true,
  },
};
