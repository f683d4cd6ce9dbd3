// The floors of the house as an allow list: what is not written here may not be imported, types included.
// It knows folders only; what may be said inside a file is the business of test/house.test.ts.
//
//   7  main  cli
//   6  http  workers                         never each other
//   5  app                                   use cases
//   4  engine                                the one write path
//   3  ledger  store  connectors  webhooks   never each other
//   2  wire
//   1  platform  formats
//   0  domain
//   outside: bench (measures what main starts)   sdk <- console, pay, cli   sandbox (reached over HTTP only)

const floors = [
  ['domain'],
  ['platform', 'formats'],
  ['wire'],
  ['ledger', 'store', 'connectors', 'webhooks'],
  ['engine'],
  ['app'],
  ['http', 'workers'],
  ['main', 'cli'],
]

/** A folder may import itself and every folder of the floors below it, never a neighbour on its own floor. */
function downwards(folder, floor) {
  const reach = [folder, ...floors.slice(0, floor).flat()]
  return { from: { path: `^src/${folder}/` }, to: { path: `^src/(${reach.join('|')})/` } }
}

// The build puts them into dist (scripts/package/bundle.ts).
const bundled = require('./scripts/package/bundled.json').map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)[0])
const bundledPath = `(^|/)node_modules/(${bundled.join('|')})/`

const ours = '^(src|bench|sandbox|sdk|console|pay|scripts|test)/'

module.exports = {
  allowedSeverity: 'error',
  allowed: [
    ...floors.flatMap((folders, floor) => folders.map((folder) => downwards(folder, floor))),
    // The command line starts the processes it wires, and speaks to a running gateway through the SDK.
    { from: { path: '^src/cli/' }, to: { path: '^(src/main|bench|sdk/src)/' } },
    // What is measured is the gateway as it is started.
    { from: { path: '^bench/' }, to: { path: '^(bench|src)/' } },
    // Sender and receivers share one signature.
    { from: { path: '^src/webhooks/' }, to: { path: '^sdk/src/signature\\.ts$' } },
    { from: { path: '^sandbox/' }, to: { path: '^sandbox/' } },
    { from: { path: '^sdk/' }, to: { path: '^sdk/' } },
    { from: { path: '^(console|pay)/' }, to: { path: '^($1|sdk)/' } },
    { from: { path: '^src/domain/' }, to: { dependencyTypes: ['npm'] } },
    { from: { path: '^src/domain/' }, to: { path: bundledPath } },
    { from: { path: ours, pathNot: '^src/domain/' }, to: { pathNot: ours } },
    // The documentation is made of text and of the API document, at build time.
    { from: { path: '^docs/\\.vitepress/' }, to: { pathNot: '^(src|bench|sandbox|sdk|console|pay|scripts|test)/' } },
    // Its samples are calls as the SDK has them.
    { from: { path: '^docs/\\.vitepress/' }, to: { path: '^sdk/src/operations\\.gen\\.ts$' } },
    { from: { path: '^(test|scripts)/|^vitest\\.((long|citus|servers)\\.)?config\\.ts$' }, to: {} },
  ],
  forbidden: [
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    { name: 'resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'domain-is-pure',
      comment: 'Money and contracts need no machine: no node: module, no driver, no server.',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { path: 'node_modules/(pg|undici|fastify|@fastify|pino|commander)/' },
    },
    {
      name: 'ships-what-it-imports',
      comment:
        'A package of devDependencies is not there when the gateway runs; an optional peer is there where it is needed.',
      severity: 'error',
      from: { path: '^(src|sandbox|sdk)/' },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['npm', 'npm-peer', 'type-only'],
        pathNot: bundledPath,
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
}
