// The text forms of API keys, sessions, access tokens and links for members. All carry the lane of their account, so that
// nothing is looked up by id alone; all end in a checksum, so that a typing mistake is found without the database.
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { withoutTrailing } from '../domain/text/texts.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const KEY = /^gck_(live|test)_([0-9a-f]{2}[0-9A-Za-z]{8})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/
const SESSION = /^gcs_([0-9a-f]{2}[0-9A-Za-z]{8})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/
const LINK = /^gci_([0-9a-f]{2})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/
const ENROLMENT = /^gce_([0-9a-f]{2})_([0-9A-Za-z_-]{43})([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/
const TOKEN = /^gct_([0-9a-f]{2})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/

export type NewCredential = { readonly text: string; readonly hash: Buffer }

/** A new API key: `gck_<mode>_<key id>_<secret><checksum>`. The text is shown once; the hash is what is stored. */
export function newApiKey(lane: number, livemode: boolean): NewCredential & { readonly keyId: string } {
  const keyId = laneHex(lane) + randomText(8)
  const stem = `gck_${livemode ? 'live' : 'test'}_${keyId}_${randomText(32)}`
  return { keyId, ...sealed(stem) }
}

/** A new session: `gcs_<key id>_<secret><checksum>`. It is a key that comes by cookie alone, in a form of its own. */
export function newSession(lane: number): NewCredential & { readonly keyId: string } {
  const keyId = laneHex(lane) + randomText(8)
  return { keyId, ...sealed(`gcs_${keyId}_${randomText(32)}`) }
}

/** A new link that invites a member: `gci_<lane>_<secret><checksum>`. */
export function newLink(lane: number): NewCredential {
  return sealed(`gci_${laneHex(lane)}_${randomText(43)}`)
}

/**
 * A new start by a link: `gce_<lane>_<hash of the link><secret><checksum>`. It finds the member by the link's hash, which says nothing of the
 * link itself: whoever has a start cannot make another.
 */
export function newEnrolment(lane: number, linkHash: Buffer): NewCredential {
  return sealed(`gce_${laneHex(lane)}_${linkHash.toString('base64url')}${randomText(32)}`)
}

/** A new access token: `gct_<lane>_<secret><checksum>`. */
export function newAccessToken(lane: number): NewCredential {
  return sealed(`gct_${laneHex(lane)}_${randomText(43)}`)
}

export type KeyName = { readonly lane: number; readonly keyId: string }

/** The lane and id that a well-formed key carries; nothing for any other text. */
export const readApiKey = (text: string): KeyName | undefined => nameIn(text, KEY.exec(text)?.[2])

/** The same of a session. */
export const readSession = (text: string): KeyName | undefined => nameIn(text, SESSION.exec(text)?.[1])

/** Where to look for the member of a link, or of a start by one. */
export type LinkPlace = { readonly lane: number; readonly linkHash: Buffer }

/** The place of a well-formed link. */
export function readLink(text: string): LinkPlace | undefined {
  const [, lane] = LINK.exec(text) ?? []
  if (lane === undefined || !isSealed(text)) return undefined
  return { lane: Number.parseInt(lane, 16), linkHash: credentialHash(text) }
}

/** The same of a start. */
export function readEnrolment(text: string): LinkPlace | undefined {
  const [, lane, linkHash] = ENROLMENT.exec(text) ?? []
  if (lane === undefined || linkHash === undefined || !isSealed(text)) return undefined
  return { lane: Number.parseInt(lane, 16), linkHash: Buffer.from(linkHash, 'base64url') }
}

function nameIn(text: string, keyId: string | undefined): KeyName | undefined {
  if (keyId === undefined || !isSealed(text)) return undefined
  return { lane: Number.parseInt(keyId.slice(0, 2), 16), keyId }
}

export function readAccessToken(text: string): { readonly lane: number } | undefined {
  const match = TOKEN.exec(text)
  const lane = match?.[1]
  return lane === undefined || !isSealed(text) ? undefined : { lane: Number.parseInt(lane, 16) }
}

/** What is stored of a credential. Its 190 bits of chance need no slow hash. */
export function credentialHash(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/** The same as text, for remembering a credential without keeping it. */
export function credentialFingerprint(text: string): string {
  return hash('sha256', text, 'base64')
}

function sealed(stem: string): NewCredential {
  const text = stem + checksum(stem)
  return { text, hash: credentialHash(text) }
}

function isSealed(text: string): boolean {
  return checksum(text.slice(0, -6)) === text.slice(-6)
}

function checksum(stem: string): string {
  let rest = crc32(stem)
  let text = ''
  for (let i = 0; i < 6; i++) {
    text = ALPHABET.charAt(rest % 62) + text
    rest = Math.floor(rest / 62)
  }
  return text
}

/** Every character is equally likely: bytes that would favour some are thrown away. */
function randomText(length: number): string {
  let text = ''
  while (text.length < length)
    for (const byte of randomBytes(length * 2))
      if (byte < 248 && text.length < length) text += ALPHABET.charAt(byte % 62)
  return text
}

const laneHex = (lane: number) => lane.toString(16).padStart(2, '0')

// A contract shows the same few keys in all of its activities.
const uuids = new LRUCache<string, string>({ max: 10_000, memoMethod: uuidOf })

/** The UUID that stands for an API key where a UUID is required: its id in hexadecimal, as a UUIDv8 (RFC 9562, 5.8). */
export const keyUuid = (keyId: string): string => uuids.memo(keyId)

/** Who acted for an account, as a UUID: a member has one, an API key gets one. */
export const proxyUuid = (proxy: string): string => (proxy.length === UUID_LENGTH ? proxy : keyUuid(proxy))
const UUID_LENGTH = 36
/** The key id behind such a UUID; nothing for any other. */
export function keyOfUuid(uuid: string): string | undefined {
  const [first = '', second = '', third = '', fourth = '', last = ''] = uuid.split('-')
  const hex = `${first}${second}${third.slice(1)}${fourth.slice(1)}${last}`
  const keyId = withoutTrailing(Buffer.from(hex, 'hex').toString('latin1'), '\0')
  return /^[0-9a-f]{2}[0-9A-Za-z]{8}$/.test(keyId) && uuidOf(keyId) === uuid ? keyId : undefined
}

function uuidOf(keyId: string): string {
  const hex = Buffer.from(keyId, 'latin1').toString('hex').padEnd(30, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(12, 15)}-8${hex.slice(15, 18)}-${hex.slice(18, 30)}`
}
