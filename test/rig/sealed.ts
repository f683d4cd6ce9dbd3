// Seals what has happened, at once and by hand, for worlds whose workers rest.
import { sealStretch } from '../../src/app/seals/sealing.ts'
import { openSerialSession } from '../../src/engine/serial-session.ts'
import { openKeyedSession } from '../../src/main/database/database.ts'
import { readSealingKeys, sealSigner } from '../../src/main/database/sealing-keys.ts'
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
