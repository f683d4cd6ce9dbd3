// Seals what has happened, at once and by hand, for worlds whose workers rest; and reads as proofs do from inside a transaction that
// damages the books.
import { sealStretch } from '../../src/app/seals/sealing.ts'
import { openSerialSession } from '../../src/engine/serial-session.ts'
import { openKeyedSession } from '../../src/main/database/database.ts'
import { readSealingKeys, sealSigner } from '../../src/main/database/sealing-keys.ts'
import type { Session } from '../../src/platform/db.ts'
import type { Caller, World } from '../world.ts'

/** Seals the whole history of an account with the gateway's own key. */
export async function sealed(world: World, { account }: Caller): Promise<void> {
  const session = openSerialSession(openKeyedSession(world.database), 10)
  const signer = sealSigner(readSealingKeys(world.config.sealingKeys, world.config.dataDir))
  const deps = { session, signer, baseUrl: () => 'http://gateway.test', nowMs: Date.now }
  try {
    while ((await sealStretch(deps, account)) > 0);
  } finally {
    await session.close()
  }
}

/** Reads in the transaction of the database's owner that is open. */
export const insideOf = (world: World): Session => ({
  send: (statements) =>
    Promise.all(
      statements.map(async ({ text, values }) => {
        const rows = await world.sql(text, values)
        return { rows, rowCount: rows.length, command: 'SELECT' }
      }),
    ),
  transaction: () => Promise.reject(new Error('the owner has one open')),
  close: () => Promise.resolve(),
})
