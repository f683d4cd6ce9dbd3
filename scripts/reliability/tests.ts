// What else is done to the gateway, with every change or in the long run, and the test that does it: the table of RELIABILITY.md.

export const TESTED: readonly (readonly [what: string, file: string])[] = [
  [
    'every point at which a process may die, with every kind of transfer and payment',
    'test/simulation/crash-points.long.test.ts',
  ],
  [
    'random sequences of everything that may happen, beside a model written from the design alone',
    'test/simulation/model.test.ts',
  ],
  [
    'simulated stories on the store in memory and on PostgreSQL: each batch answers, loads and leaves behind the same',
    'test/simulation/memory-store.long.test.ts',
  ],
  [
    '200 pays, cancels and refunds of one contract or wallet at once, by one gateway and by two',
    'test/simulation/concurrency.long.test.ts',
  ],
  ['an older copy of the database, a restore, a promoted standby', 'test/simulation/recovery.long.test.ts'],
  ['backups while money moves; a byte changed in one; a restore to a moment', 'test/simulation/backup.long.test.ts'],
  [
    'PostgreSQL, the gateway and whoever started them killed in each other’s starts',
    'test/platform/postgres.long.test.ts',
  ],
  [
    'a database that says nothing any more; a disk that is full, and then has room',
    'test/cli/hung-database.long.test.ts',
  ],
  ['rows that somebody else holds locked', 'test/http/connections/busy-accounts.long.test.ts'],
  ['a gateway that is asked to stop under load', 'test/http/connections/drain.long.test.ts'],
  [
    'a newer release that migrates under load and takes over, gateway by gateway; one that breaks the older',
    'test/simulation/rolling-restart.long.test.ts',
  ],
  ['databases as releases left them, with contracts in every state', 'test/walks/released.test.ts'],
  ['clocks that jump', 'test/http/connections/clocks.test.ts'],
  ['damage to the books, of each kind', 'test/ledger/verify.test.ts'],
  ['inquiries that find nothing for a while, rails that forget', 'test/simulation/rails-lies.long.test.ts'],
  ['answers of rails that cannot be believed', 'test/connectors/collect-answers.test.ts'],
  ['ISO 20022 messages that mean harm', 'test/formats/iso20022-hostile.test.ts'],
  ['bodies that mean harm: depth, size, duplicates, numbers, encodings', 'test/http/requests/hostile.test.ts'],
  ['sockets that are slow, lie about lengths, or go away', 'test/http/connections/connections.long.test.ts'],
  ['thousands of idle connections', 'test/http/connections/connection-limits.test.ts'],
  ['every route with another account’s ids, wrong keys, revoked keys and none', 'test/http/callers/tenants.test.ts'],
  ['every route in the mode that it is not for', 'test/http/callers/modes-matrix.test.ts'],
  ['forged credentials in any number', 'test/http/callers/untrusted.test.ts'],
  [
    'card numbers and secrets in every text, looked for wherever they must not be',
    'test/http/requests/canaries.long.test.ts',
  ],
  [
    'one idempotency key many times at once, with other bodies, of other accounts',
    'test/http/requests/idempotency.test.ts',
  ],
  ['signatures of every wrong form', 'test/webhooks/signature.test.ts'],
  ['addresses that a receiver must not have, in every notation and by any name', 'test/platform/ssrf.test.ts'],
  ['receivers that do everything they should not', 'test/webhooks/misbehaving.long.test.ts'],
  ['receivers that hang, beside those that do not', 'test/webhooks/fairness.long.test.ts'],
  ['gateways that die or stand still in the middle of their deliveries', 'test/webhooks/recovery.long.test.ts'],
  ['secrets that are replaced while events flow', 'test/webhooks/rotation.test.ts'],
  ['1,000,000 events behind, and indexes that must not be read through', 'test/webhooks/backlog.long.test.ts'],
]
