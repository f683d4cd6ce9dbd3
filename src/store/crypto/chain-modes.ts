// The mode of each chain and of each key that is used on one: test or live, for as long as the database lives.
import type { Statement } from '../../platform/db.ts'

/** Binds a chain or key to a mode; nothing happens where it has one. */
export function insertChainMode(name: string, livemode: boolean): Statement {
  return {
    name: 'insert_chain_mode',
    text: `insert into chain_modes (name, livemode) values ($1, $2) on conflict do nothing`,
    values: [name, livemode],
  }
}

export function findChainMode(name: string): Statement {
  return { name: 'find_chain_mode', text: `select livemode from chain_modes where name = $1`, values: [name] }
}
