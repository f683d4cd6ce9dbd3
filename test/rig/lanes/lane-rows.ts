// Rows of one lane in tables of many kinds, straight into a database, and a writer that goes on changing them.
import { createHash, randomUUID } from 'node:crypto'
import type pg from 'pg'

/** An account of the lane, with keys, a wallet, a seal, and `history` documents and keys of requests. */
export async function addAccount(on: pg.Client, lane: number, history: number): Promise<string> {
  const account = randomUUID()
  const rows: [string, unknown[]?][] = [
    ['insert into account_modes values ($1, $2, false)'],
    [
      `insert into accounts (lane, account_id, profile_id, name, livemode, sites) values ($1, $2, $2, 'Ana "and" {co}', false, '{a,"b,c"}')`,
    ],
    [
      `insert into api_keys (lane, account_id, livemode, key_id, secret_hash, name, scopes) values ($1, $2, false, 'key', $3, '', '{}')`,
      [createHash('sha256').update(account).digest()],
    ],
    [`insert into wallets (lane, account_id, livemode, id, currency) values ($1, $2, false, $2, 'PHP')`],
    [
      `insert into seals (lane, account_id, number, from_position, to_position, text, signature, salt, leaves, marks, entries, balances)
       values ($1, $2, 1, 1, 1, '', $3, $3, $3, $3, $3, '')`,
      [Buffer.from([0, 1, 255, 92, 39])],
    ],
    [
      `insert into contract_versions (lane, account_id, position, contract_id, version, at, document)
       select $1, $2, n, gen_random_uuid(), 1, now() - n * interval '1.000001 second', json_build_object('n', n, 'words', repeat('ñ', n % 50))
         from generate_series(1, ${history}) n`,
    ],
    [
      `insert into idempotency_keys (lane, account_id, key_hash, fingerprint, created_at)
       select $1, $2, gen_random_uuid(), gen_random_uuid(), now() from generate_series(1, ${history})`,
    ],
  ]
  for (const [text, more = []] of rows) await on.query(text, [lane, account, ...more])
  return account
}

// Behind all positions of a history.
const LATER = 1_000_000

/** Writes in the accounts until it is told to end: rows that are new, changed and removed, some in transactions that are undone. */
export function atWork(client: pg.Client, accounts: readonly { lane: number; account: string }[]) {
  let isEnding = false
  const work = async () => {
    let written = 0
    for (; !isEnding; written += 1)
      for (const { lane, account } of accounts) {
        await client.query('begin')
        await client.query(
          `insert into contract_versions (lane, account_id, position, contract_id, version, at, document)
           values ($1, $2, $3, gen_random_uuid(), 1, now(), '{"a":  1}')`,
          [lane, account, LATER + written],
        )
        await client.query(
          'update wallets set available_minor = available_minor + 1, sequence = sequence + 1 where lane = $1',
          [lane],
        )
        await client.query('update accounts set position = $2 where lane = $1', [lane, written])
        await client.query(
          'delete from idempotency_keys where ctid in (select ctid from idempotency_keys where lane = $1 limit 1)',
          [lane],
        )
        await client.query(written % 7 === 3 ? 'rollback' : 'commit')
      }
    return written
  }
  const done = work()
  return {
    finish: () => {
      isEnding = true
      return done
    },
  }
}

/** How to log in as a client did. */
export function clientConfigOf({ host, port, user, database, password }: pg.Client): pg.ClientConfig {
  return { host, port, user: String(user), database: String(database), password: String(password) }
}
