// What is kept in versions, such as profiles, policies and verifiers: a head that says which version is the newest, and the versions, each a
// document that is never rewritten. How one is found, as it stands or as it stood, and how a version is added.
import type { Statement } from '../platform/db.ts'
import type { OwnedKey } from './columns.ts'

/** `noun` names the statements: find_policy. `id` is the column of the versions that names their head. */
export type Versioned = {
  readonly noun: string
  readonly heads: string
  readonly versions: string
  readonly id: string
  /** More that is read with a version `v`: `, … as names`. */
  readonly also?: string
  /** More that is read of the head `p` with its newest version: `, …`. */
  readonly ofHead?: string
}

export type VersionedStatements = {
  /** Heads `p` of the account in $2 on the lane in $1, each with its newest version `v`: conditions follow. */
  readonly newest: string
  /** In its newest version, if it is the account's. */
  readonly find: (key: OwnedKey) => Statement
  /** As one version left it. */
  readonly findVersion: (key: OwnedKey, version: number) => Statement
  /** The versions below one, the newest first; one more than the limit. */
  readonly listVersions: (key: OwnedKey, below: number, limit: number) => Statement
  /** One more version; whoever adds it writes the head, too. */
  readonly insertVersion: (key: OwnedKey, version: number, document: string) => Statement
}

export function versioned({ noun, heads, versions, id, also = '', ofHead = '' }: Versioned): VersionedStatements {
  const columns = `v.lane, v.account_id, v.${id}, v.version, v.document${also}`
  const newest = `select ${columns}${ofHead}
             from ${heads} p
             join ${versions} v on v.lane = p.lane and v.account_id = p.account_id and v.${id} = p.id
                                   and v.version = p.version
            where p.lane = $1 and p.account_id = $2`
  const stood = `select ${columns}
             from ${versions} v
            where v.lane = $1 and v.account_id = $2 and v.${id} = $3`
  return {
    newest,
    find: ({ lane, accountId, id: of }) => ({
      name: `find_${noun}`,
      text: `${newest} and p.id = $3`,
      values: [lane, accountId, of],
    }),
    findVersion: ({ lane, accountId, id: of }, version) => ({
      name: `find_${noun}_version`,
      text: `${stood} and v.version = $4`,
      values: [lane, accountId, of, version],
    }),
    listVersions: ({ lane, accountId, id: of }, below, limit) => ({
      name: `list_${noun}_versions`,
      text: `${stood} and v.version < $4
            order by v.version desc
            limit $5`,
      values: [lane, accountId, of, below, limit + 1],
    }),
    insertVersion: ({ lane, accountId, id: of }, version, document) => ({
      name: `insert_${noun}_version`,
      text: `insert into ${versions} (lane, account_id, ${id}, version, document) values ($1, $2, $3, $4, $5)`,
      values: [lane, accountId, of, version, document],
    }),
  }
}
