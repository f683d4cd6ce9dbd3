// An authenticator in software (WebAuthn Level 3): makes passkeys on P-256 and signs with them, as a phone or a security key
// does, without attestation. What it says of site, user and challenge can be set, for tests of what is refused.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

type CreationOptions = {
  readonly challenge: string
  readonly rp: { readonly id?: string }
  readonly user: { readonly id: string }
}
type RequestOptions = { readonly challenge: string; readonly rpId?: string }

/** What a browser or a thief may change. */
export type Twist = {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  /** Whether the finger or the PIN was asked for. */
  readonly isVerified?: boolean
  readonly userHandle?: string
  readonly counter?: number
}

export type Authenticator = {
  readonly create: (options: CreationOptions, twist?: Twist) => Record<string, unknown> & { readonly id: string }
  readonly get: (options: RequestOptions, twist?: Twist) => Record<string, unknown>
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const KEY_INCLUDED = 0x40

export function openAuthenticator(origin: string): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let userId = ''
  let counter = 0
  const clientData = (type: string, challenge: string, twist: Twist) =>
    Buffer.from(
      JSON.stringify({
        type: twist.type ?? type,
        challenge: twist.challenge ?? challenge,
        origin: twist.origin ?? origin,
        crossOrigin: false,
      }),
    )
  const head = (rpId: string, flags: number, twist: Twist) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(twist.counter ?? ++counter)
    const isVerified = twist.isVerified ?? true
    const bits = flags | USER_PRESENT | (isVerified ? USER_VERIFIED : 0)
    return Buffer.concat([sha256(Buffer.from(twist.rpId ?? rpId)), Buffer.from([bits]), count])
  }
  return {
    create: ({ challenge, rp, user }, twist = {}) => {
      userId = user.id
      const idLength = Buffer.alloc(2)
      idLength.writeUInt16BE(id.length)
      const key = Buffer.concat([Buffer.alloc(16), idLength, id, coseKey(publicKey)])
      const authData = Buffer.concat([head(rp.id ?? '', KEY_INCLUDED, twist), key])
      const attestationObject = cbor(
        new Map<CborKey, Cbor>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]),
      )
      const clientDataJSON = clientData('webauthn.create', challenge, twist)
      return credential(id, { clientDataJSON, attestationObject }, { transports: ['internal'] })
    },
    get: ({ challenge, rpId = '' }, twist = {}) => {
      const authenticatorData = head(rpId, 0, twist)
      const clientDataJSON = clientData('webauthn.get', challenge, twist)
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientDataJSON)]), privateKey)
      const userHandle = twist.userHandle ?? userId
      return credential(id, { clientDataJSON, authenticatorData, signature }, { userHandle })
    },
  }
}

function credential(id: Buffer, bytes: Readonly<Record<string, Buffer>>, others: Readonly<Record<string, unknown>>) {
  const texts = Object.fromEntries(Object.entries(bytes).map(([name, each]) => [name, each.toString('base64url')]))
  const text = id.toString('base64url')
  return { id: text, rawId: text, type: 'public-key', clientExtensionResults: {}, response: { ...texts, ...others } }
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

/** An EC2 key of ES256 (RFC 9053, 7.1). */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return cbor(
    new Map<CborKey, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  )
}

type CborKey = number | string
type Cbor = number | string | Buffer | ReadonlyMap<CborKey, Cbor>

/** As much of CBOR (RFC 8949) as an authenticator writes. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value])
  return Buffer.concat([cborHead(5, value.size), ...[...value].flatMap(([key, each]) => [cbor(key), cbor(each)])])
}

function cborHead(kind: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(kind << 5) | count])
  return count < 256 ? Buffer.from([(kind << 5) | 24, count]) : Buffer.from([(kind << 5) | 25, count >> 8, count & 255])
}
