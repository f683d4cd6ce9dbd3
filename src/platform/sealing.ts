// Short texts kept secret in the database: AES-256-GCM under a key that is not in it. What a text is about is part of the
// seal, so that one that is moved to another row, account or purpose does not open. Knows no table.
import { createCipheriv, createDecipheriv, createSecretKey, hash, randomBytes, type KeyObject } from 'node:crypto'

export const SEALING_KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'
const SEALED = /^([0-9a-f]{8})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{22,})$/

/** What a sealed text belongs to. It opens for nothing else. */
export type About = { readonly accountId: string; readonly id: string; readonly purpose: string }

export type Sealing = {
  /** The id of the key that seals. */
  readonly keyId: string
  /** Whether a text that was sealed by this key could be opened. */
  readonly knows: (keyId: string) => boolean
  /** `<key id>.<iv>.<ciphertext and tag>`, the last two in base64url. No two seals of one text are alike. */
  readonly seal: (text: string, about: About) => string
  /** The text; throws {@link SealBroken} for anything that was not sealed by a key of ours, about this very thing. */
  readonly open: (sealed: string, about: About) => string
}

/** The text was changed or moved, or sealed by a key that is not here. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken'
}

/** The first key seals, all of them open. Each has {@link SEALING_KEY_BYTES} bytes. */
export function openSealing(keys: readonly Buffer[]): Sealing {
  const [first] = keys
  if (!first) throw new Error('sealing needs a key')
  const byId = new Map(keys.map((key) => [keyIdOf(key), keyObject(key)]))
  const keyId = keyIdOf(first)
  const sealingKey = keyObject(first)
  return {
    keyId,
    knows: (id) => byId.has(id),
    seal: (text, about) => sealWith(sealingKey, keyId, text, about),
    open: (sealed, about) => openWith(byId, sealed, about),
  }
}

/** The first 8 hexadecimal digits of the key's SHA-256: names the key, and reveals nothing of it. */
function keyIdOf(key: Buffer): string {
  return hash('sha256', key, 'hex').slice(0, 8)
}

function keyObject(key: Buffer): KeyObject {
  if (key.length !== SEALING_KEY_BYTES) throw new Error(`a sealing key has ${SEALING_KEY_BYTES} bytes`)
  return createSecretKey(key)
}

function sealWith(key: KeyObject, keyId: string, text: string, about: About): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(bytesOf(about))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${keyId}.${iv.toString('base64url')}.${sealed.toString('base64url')}`
}

function openWith(keys: ReadonlyMap<string, KeyObject>, sealed: string, about: About): string {
  const [, keyId = '', iv = '', rest = ''] = SEALED.exec(sealed) ?? []
  if (keyId === '') throw new SealBroken('this is no sealed text')
  const key = keys.get(keyId)
  if (!key) throw new SealBroken(`the key ${keyId} is not here`)
  const bytes = Buffer.from(rest, 'base64url')
  // Base64 has spellings with idle bits: only the one that we write is taken.
  if (bytes.toString('base64url') !== rest || bytes.length < TAG_BYTES) throw new SealBroken('this is no sealed text')
  try {
    const decipher = createDecipheriv(CIPHER, key, Buffer.from(iv, 'base64url'), { authTagLength: TAG_BYTES })
    decipher.setAAD(bytesOf(about)).setAuthTag(bytes.subarray(-TAG_BYTES))
    return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch (cause) {
    throw new SealBroken('the seal does not fit', { cause })
  }
}

// None of the parts holds the bar: two are uuids, and purposes are our own names.
function bytesOf({ accountId, id, purpose }: About): Buffer {
  return Buffer.from(`${accountId}|${id}|${purpose}`)
}
