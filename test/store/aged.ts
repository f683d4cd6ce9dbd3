// Documents that may leave: an account's past made older, sealed, and in an archive that is proved and noted.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type NotedArchive, noteArchives } from '../../src/main/archives/note.ts'
import { writeArchives } from '../../src/main/archives/write.ts'
import { readSealingKeys, sealSigner } from '../../src/main/database/sealing-keys.ts'
import type { Session } from '../../src/platform/db.ts'
import type { Caller, World } from '../world.ts'
import { sealed } from '../rig/sealed.ts'

/** All that ever happened to an account happened so many days earlier, and is not sealed. */
export async function aged(world: World, { account: { accountId } }: Caller, days: number): Promise<void> {
  await world.sql('begin')
  for (const table of ['archive_notes', 'seals', 'seal_progress'])
    await world.sql(`delete from ${table} where account_id = $1`, [accountId])
  for (const table of ['contract_versions', 'account_events', 'ledger'])
    await world.sql(
      // In numbers: a cluster takes no update whose expression reads the time zone.
      `update ${table} set at = to_timestamp(extract(epoch from at - to_timestamp(0))::float8 - $2::int * 86400.0::float8)
        where account_id = $1`,
      [accountId, days],
    )
  await world.sql('commit')
}

export const signerOf = (world: World) => sealSigner(readSealingKeys(world.config.sealingKeys, world.config.dataDir))

/** Writes the sealed past of an account into a directory. */
export const archivedInto = (world: World, operators: Session, into: string, { account }: Caller) =>
  writeArchives(operators, {
    into,
    before: '9999-01-01T00:00:00.000Z',
    accountId: account.accountId,
    keys: signerOf(world),
    onAccount: () => undefined,
    seePlaces: async () => undefined,
  })

export const notedIn = (world: World, operators: Session, directory: string): Promise<NotedArchive[]> =>
  noteArchives(operators, {
    directory,
    keys: signerOf(world),
    kept: 'in the safe',
    operator: 'somebody',
    onAccount: () => undefined,
  })

/** Seals what has happened, archives it, and notes the archive. */
export async function archived(world: World, operators: Session, caller: Caller): Promise<void> {
  await sealed(world, caller)
  const directory = mkdtempSync(join(tmpdir(), 'gateway-noted-'))
  try {
    await archivedInto(world, operators, directory, caller)
    const notes = await notedIn(world, operators, directory)
    if (notes.some(({ note }) => note !== 'noted')) throw new Error(JSON.stringify(notes))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
