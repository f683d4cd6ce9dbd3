// Where the sandbox provider of a data directory is and what opens its control, as a file for this user alone; and whether
// what answers there is that provider, which it proves without being shown the token.
import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivateFile } from '../../platform/private-files.ts'

export type ProviderPlace = { readonly port: number; readonly token: string }

const ANSWER_WITHIN_MS = 1000

export const urlOf = ({ port }: ProviderPlace) => `http://127.0.0.1:${port}`

const fileOf = (dataDir: string) => join(dataDir, 'provider.json')

/** Of the start that is under way, or of the last one. */
export function lastPlace(dataDir: string): ProviderPlace | null {
  try {
    const { port, token } = JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as Partial<ProviderPlace>
    return typeof port === 'number' && typeof token === 'string' ? { port, token } : null
  } catch {
    return null
  }
}

export function writePlace(dataDir: string, place: ProviderPlace): void {
  writePrivateFile(fileOf(dataDir), `${JSON.stringify(place)}\n`)
}

/** Whether the provider with this token answers there. Another server at its old port cannot. */
export async function provesItself(place: ProviderPlace): Promise<boolean> {
  const nonce = randomBytes(16).toString('hex')
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const reply = await fetch(`${urlOf(place)}/proof?nonce=${nonce}`, { redirect: 'manual', signal })
    const { proof } = (await reply.json()) as { proof?: unknown }
    return proof === createHmac('sha256', place.token).update(nonce).digest('hex')
  } catch {
    return false
  }
}
