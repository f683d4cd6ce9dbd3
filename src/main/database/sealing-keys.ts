// The keys that seal webhook secrets, and from which those follow that sign seals: from the environment, or a file beside the data
// that is made at the first start.
// Never from the database, so that a copy of it opens nothing.
import { randomBytes } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ALL_LANES } from '../../domain/contract/ids.ts'
import { isAway, type Session } from '../../platform/db.ts'
import { textIfThere } from '../../platform/private-files.ts'
import { SEALING_KEY_BYTES, type Sealing } from '../../platform/sealing.ts'
import { openSigner, type Signer } from '../../platform/signing.ts'
import { sealingKeysInUse } from '../../store/webhooks/endpoints.ts'
import { Misconfigured } from '../config/config.ts'

const BASE64 = /^[A-Za-z0-9+/]{43}=$/
const FORM = `base64 of ${SEALING_KEY_BYTES} bytes (openssl rand -base64 32)`

/**
 * The keys, the one that seals first. `setting` is the text of GATEWAY_SEALING_KEYS: keys in base64 with commas between
 * them; null takes the file `sealing.key` of the data directory. Throws {@link Misconfigured}.
 */
export function readSealingKeys(setting: string | null, dataDir: string): Buffer[] {
  if (setting === null) return [keyOf(keyFile(dataDir), `${join(dataDir, 'sealing.key')} must hold ${FORM}`)]
  const fix = `GATEWAY_SEALING_KEYS must be a list of keys with commas between them, each ${FORM}`
  return setting.split(',').map((text) => keyOf(text.trim(), fix))
}

/** The keys that are here already; none where the file is not: nothing is made for whoever only reads. Throws {@link Misconfigured}. */
function sealingKeysHere(setting: string | null, dataDir: string): Buffer[] {
  return setting === null && textIfThere(join(dataDir, 'sealing.key')) === null ? [] : readSealingKeys(setting, dataDir)
}

function keyOf(text: string, fix: string): Buffer {
  const key = Buffer.from(text, 'base64')
  if (!BASE64.test(text) || key.toString('base64') !== text) throw new Misconfigured(fix)
  return key
}

function keyFile(dataDir: string): string {
  const path = join(dataDir, 'sealing.key')
  return textIfThere(path)?.trim() ?? made(dataDir, path)
}

/** Written aside and linked into place, so that of two first starts at once both have the one key, and it whole. */
function made(dataDir: string, path: string): string {
  mkdirSync(dataDir, { recursive: true })
  const aside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(aside, `${randomBytes(SEALING_KEY_BYTES).toString('base64')}\n`, { mode: 0o600 })
  chmodSync(aside, 0o600)
  try {
    linkSync(aside, path)
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'EEXIST') throw fault
  } finally {
    rmSync(aside)
  }
  return readFileSync(path, 'utf8').trim()
}

/** What signs the seals of accounts' histories. A key that was replaced still vouches for what it signed, as long as it is kept. */
export const sealSigner = (keys: readonly Buffer[]): Signer => openSigner(keys, 'gateway seals')

/** The keys whose seals are believed, for whoever only reads. */
export function sealKeysHere(setting: string | null, dataDir: string): Pick<Signer, 'known'> {
  return sealKeyHere(setting, dataDir) ?? { known: () => null }
}

/** The key that signs; null where it is not here. */
export function sealKeyHere(setting: string | null, dataDir: string): Signer | null {
  const keys = sealingKeysHere(setting, dataDir)
  return keys.length === 0 ? null : sealSigner(keys)
}

/**
 * Refuses to start where a stored secret could never be opened again. `groups`: lanes that are asked for together; those of a node that
 * is away are passed over while another answers, for its death must keep no gateway from starting. Throws {@link Misconfigured}.
 */
export async function checkSealingKeys(
  session: Session,
  sealing: Sealing,
  groups: readonly (readonly number[])[] = [ALL_LANES],
): Promise<void> {
  const looks = await Promise.allSettled(groups.map((lanes) => session.send([sealingKeysInUse(lanes)])))
  const failed = looks.flatMap((look) => (look.status === 'rejected' ? [look.reason as Error] : []))
  const fault = failed.length === looks.length ? failed[0] : failed.find((each) => !isAway(each))
  if (fault !== undefined) throw fault
  const rows = looks.flatMap((look) => (look.status === 'fulfilled' ? (look.value[0]?.rows ?? []) : []))
  const used = new Set(rows.map((row) => row['sealing_key_id'] as string))
  const lacking = [...used].filter((id) => !sealing.knows(id))
  if (lacking.length === 0) return
  throw new Misconfigured(
    `The secrets of webhooks were sealed by a key that is not here (${lacking.join(', ')}). Add that key to GATEWAY_SEALING_KEYS, after the one that is to seal, or bring back the file sealing.key of the data directory`,
  )
}
