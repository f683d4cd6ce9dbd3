// The files of tests that do not run on a cluster, each with the reason.
const PLANS = 'the plans of one PostgreSQL: on a cluster each statement that a test sends is explained (recorder.ts)'
const DOCUMENTS = 'documents do not leave on a cluster: docs/citus.md'

export const NOT_ON_CITUS: Readonly<Record<string, string>> = {
  'test/app/plans.test.ts': PLANS,
  'test/app/figures-plans.test.ts': PLANS,
  'test/app/search-plans.test.ts': PLANS,
  'test/store/look.test.ts': 'takes work of lanes in several shards with one statement, which nobody does on a cluster',
  'test/app/size.test.ts':
    'gateway size reads the catalogue of one server, and does not ask the workers what they have',
  'test/ledger/removed.test.ts': DOCUMENTS,
  'test/store/removal-documents.test.ts': DOCUMENTS,
  'test/store/removal-readers.test.ts': DOCUMENTS,
}
