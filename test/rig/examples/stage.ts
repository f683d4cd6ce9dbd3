// What the examples are played on: a gateway with a rail that tells it of payers, a provider of identities, and an endpoint that
// takes webhooks.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeProvider, type Provider } from '../../http/payments/receiver-world.ts'
import { control } from '../../sandbox/rails.ts'
import { openWorld, type Reply, type World } from '../../world.ts'
import { CLIENT, type OpenidProvider, startOpenidProvider } from '../members/openid-provider.ts'
import { openRecorder, type Recorder } from './recorder.ts'

export const CALLBACK_SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBwcm92aWRlcg=='

export type Stage = {
  readonly world: World
  readonly played: Recorder
  /** Where the gateway listens. */
  readonly address: string
  /** Where webhooks are taken. */
  readonly hooks: string
  readonly openid: OpenidProvider
  /** The key and secret by which payments are reported. */
  readonly provider: Provider
  readonly close: () => Promise<void>
}

/** Its workers rest until they are started. */
export async function openStage(): Promise<Stage> {
  const openid = await startOpenidProvider()
  const callbackSecrets = new Map([['sandbox', [CALLBACK_SECRET]]])
  const world = await openWorld({
    workers: 'resting',
    config: { callbackSecrets, oidc: { issuer: openid.issuer, ...CLIENT } },
  })
  const address = await world.listen()
  const provider = await makeProvider(world, world.caller)
  const receiver = { url: `${address}/webhooks`, api_key: provider.key, secret: provider.secret }
  for (const whose of [{}, { account_id: world.caller.account.accountId }])
    await control(world.sandboxUrl, 'POST', '/payment-receivers', { ...receiver, ...whose })
  const hooks = await endpoint()
  const played = openRecorder(world)
  played.key(provider.keyId)
  return {
    world,
    played,
    address,
    hooks: `http://127.0.0.1:${(hooks.address() as AddressInfo).port}/hooks`,
    openid,
    provider,
    close: async () => {
      hooks.closeAllConnections()
      hooks.close()
      await world.stop()
      await openid.stop()
    },
  }
}

/** Says yes to all that comes. */
async function endpoint(): Promise<Server> {
  const server = createServer((request, reply) => {
    request.resume().on('end', () => reply.end('{}'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** An id that is nobody's. */
export const NOBODY = { id: '01932c07-4b5e-7c31-9d0a-6f2b8e4a1c55' }

/** The id of what a reply shows. */
export const idIn = (reply: Reply, member: string) => ({ id: (reply.data[member] as { readonly id: string }).id })

const WITHIN_MS = 60_000
const PAUSE_MS = 25

/** Looks again and again until there is something to see. */
export async function seen<T>(what: string, look: () => Promise<T | null | undefined>): Promise<T> {
  for (const until = Date.now() + WITHIN_MS; Date.now() < until; await sleep(PAUSE_MS)) {
    const found = await look()
    if (found !== null && found !== undefined) return found
  }
  throw new Error(`not seen: ${what}`)
}
