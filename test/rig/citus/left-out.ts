// The files of tests that do not run on a cluster, each with the reason.
const PLANS = 'the plans of one PostgreSQL: on a cluster each statement that a test sends is explained (recorder.ts)'

const SERVERS = 'lanes on several ordinary servers, each with tables of its own, which a cluster is not'

export const NOT_ON_CITUS: Readonly<Record<string, string>> = {
  'test/app/plans.test.ts': PLANS,
  'test/app/figures-plans.test.ts': PLANS,
  'test/app/plans-skewed.test.ts': PLANS,
  'test/app/search-plans.test.ts': PLANS,
  'test/cli/operator/lanes.test.ts': SERVERS,
  'test/main/several-servers.test.ts': SERVERS,
  'test/main/database/joining.test.ts': SERVERS,
  'test/main/database/unreached-servers.test.ts': SERVERS,
  'test/main/database/held-lanes.test.ts': SERVERS,
  'test/main/database/unheard-moves.test.ts': SERVERS,
  'test/main/database/lost-lanes.test.ts': SERVERS,
  'test/main/database/moved-while-read.test.ts': SERVERS,
  'test/main/older-server.test.ts': SERVERS,
  'test/main/older-window.test.ts': SERVERS,
  'test/app/recovery/away-server.test.ts': SERVERS,
  'test/app/recovery/chain-payments.test.ts': SERVERS,
  'test/main/database/news-of-servers.test.ts': SERVERS,
  'test/app/recovery/between-servers.test.ts': SERVERS,
  'test/app/recovery/lane-elsewhere.test.ts': SERVERS,
  'test/ledger/lost-between-servers.test.ts': SERVERS,
  'test/http/payments/payments-review-streams.test.ts':
    'five hundred streams look more often than nodes on one small machine answer',
  'test/store/look.test.ts': 'takes work of lanes in several shards with one statement, which nobody does on a cluster',
  'test/store/expiry.test.ts': 'reads lanes of several shards with one statement, which nobody does on a cluster',
}
