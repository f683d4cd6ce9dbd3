// A certificate that nobody vouches for, made on the spot, so that no private key lies in the repository.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const INTEGER = 0x02
const BIT_STRING = 0x03
const OBJECT_ID = 0x06
const UTF8_STRING = 0x0c
const UTC_TIME = 0x17
const SEQUENCE = 0x30
const SET = 0x31
/** 1.2.840.10045.4.3.2 and 2.5.4.3, as X.690 writes them. */
const ECDSA_WITH_SHA256 = Buffer.from('2a8648ce3d040302', 'hex')
const COMMON_NAME = Buffer.from('550403', 'hex')

/** A key and its certificate (X.509 version 1, RFC 5280) for the name, both as PEM. */
export function selfSigned(commonName: string): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der(SEQUENCE, der(OBJECT_ID, ECDSA_WITH_SHA256))
  const name = der(
    SEQUENCE,
    der(SET, der(SEQUENCE, der(OBJECT_ID, COMMON_NAME), der(UTF8_STRING, Buffer.from(commonName)))),
  )
  const validity = der(SEQUENCE, utcTime('200101000000Z'), utcTime('491231235959Z'))
  const serial = der(INTEGER, Buffer.concat([Buffer.from([1]), randomBytes(8)]))
  const facts = der(
    SEQUENCE,
    serial,
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = sign('sha256', facts, privateKey)
  const whole = der(SEQUENCE, facts, algorithm, der(BIT_STRING, Buffer.from([0]), signature))
  const lines = whole.toString('base64').replace(/.{1,64}/g, '$&\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`,
  }
}

const utcTime = (text: string) => der(UTC_TIME, Buffer.from(text))

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const { length } = body
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...head]), body])
}
