// Tests that are left out of the run with all lanes on a second server (npm run test:servers), with the reason. Those of lanes on both are
// in test/main: several-servers, older-server, server-moves.

const ONE_CONNECTION = 'asks and changes one database over connections of its own, at home and beside a lane at once'
const PLANS = 'looks at the plans of one database'
const CLUSTER = 'is about a database on one server, or on a cluster'

export const NOT_ON_SERVERS: Readonly<Record<string, string>> = {
  'test/app/figures-plans.test.ts': PLANS,
  'test/app/search-plans.test.ts': PLANS,
  'test/app/live-credits.test.ts': ONE_CONNECTION,
  'test/app/reconcile.test.ts':
    'looks for actions of operators at one place: those about a channel are at home, others with the account',
  'test/app/restored.test.ts': 'writes epochs and where accounts stood in them in one statement',
  'test/http/webhooks/epochs.test.ts': 'writes epochs and where accounts stood in them in one statement',
  'test/bench/databases.test.ts': 'fills one database, as the bench does',
  'test/ledger/removed.test.ts': 'sends a statement of no lane, which is found before the database refuses it',
  'test/ledger/verify.test.ts': 'puts a connection to nowhere in the place of one to the database',
  'test/main/channel-modes.test.ts': ONE_CONNECTION,
  'test/main/older-server.test.ts': 'has its own two servers',
  'test/main/several-servers.test.ts': 'has its own two servers',
  'test/main/server-moves.test.ts': 'has its own two servers',
  'test/platform/distribution.test.ts': CLUSTER,
  'test/platform/lane-moves.test.ts': CLUSTER,
  'test/simulation/memory-store.test.ts': 'compares the rows of one database with those of memory',
}
