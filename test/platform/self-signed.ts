// A certificate that nobody vouches for, made when it is needed, so that no private key lies in the repository.
import { generateKeyPairSync, sign } from 'node:crypto'

const SEQUENCE = 0x30
const SET = 0x31
const INTEGER = 0x02
const BITS = 0x03
const OBJECT_ID = 0x06
const TEXT = 0x0c
const UTC_TIME = 0x17

/** An X.509 certificate (version 1) of that name and its key, both as PEM. */
export function selfSigned(name: string): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = der(SEQUENCE, der(OBJECT_ID, Buffer.from('2a8648ce3d040302', 'hex')))
  const commonName = der(SEQUENCE, der(OBJECT_ID, Buffer.from('550403', 'hex')), der(TEXT, Buffer.from(name)))
  const who = der(SEQUENCE, der(SET, commonName))
  const validity = der(SEQUENCE, ...['200101000000Z', '491231235959Z'].map((time) => der(UTC_TIME, Buffer.from(time))))
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const signed = der(SEQUENCE, der(INTEGER, Buffer.from([1])), ecdsaWithSha256, who, validity, who, spki)
  const signature = der(BITS, Buffer.from([0]), sign('sha256', signed, privateKey))
  const text = der(SEQUENCE, signed, ecdsaWithSha256, signature).toString('base64')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}
