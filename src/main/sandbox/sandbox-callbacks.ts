// Has the sandbox provider beside this gateway call back, as a real one would: signed, under secrets of this start that
// open nothing else. It never calls for a rail with an address of its own, and gets no secret of one.
import { request } from 'undici'
import { newSigningSecret } from '../../app/webhooks/endpoint-secrets.ts'
import type { Log } from '../../platform/log.ts'
import type { Config } from '../config/config.ts'
import { CALLING_RAILS, PLAYED_RAILS, type RailName } from '../config/rails.ts'
import type { SandboxProcess } from './sandbox-process.ts'

const TIMEOUT_MS = 5000

/** The rails that the provider plays and that call back, each with the secret of this start. */
export type PlayedSecrets = ReadonlyMap<string, string>

/** A new secret for each rail that the provider plays. */
export function newPlayedSecrets({ rails }: Pick<Config, 'rails'>): PlayedSecrets {
  const isPlayed = (rail: RailName) => PLAYED_RAILS.includes(rail) && rails[rail].url === null
  return new Map(CALLING_RAILS.filter(isPlayed).map((rail) => [rail, newSigningSecret()]))
}

/** The configuration with those secrets beside the configured ones: the gateway accepts both. */
export function withPlayedSecrets(config: Config, played: PlayedSecrets): Config {
  const secrets = new Map(config.callbackSecrets)
  for (const [rail, secret] of played) secrets.set(rail, [secret, ...(secrets.get(rail) ?? [])])
  return { ...config, callbackSecrets: secrets }
}

type Provider = Pick<SandboxProcess, 'url' | 'token' | 'isShared'>

/**
 * Registers this gateway with the provider, in place of what earlier starts registered; beside a gateway that shares it, in
 * place of an earlier start at this very address. Events are polled as well.
 */
export async function registerCallbacks(
  provider: Provider,
  played: PlayedSecrets,
  url: string,
  log: Log,
): Promise<void> {
  try {
    await endEarlier(provider, '/callbacks', 'callbacks', (each) => each.startsWith(`${url}/`))
    for (const [rail, secret] of played)
      await ask(provider, 'POST', '/callbacks', { url: `${url}/channels/${rail}/callbacks`, secret, rails: [rail] })
  } catch (fault) {
    log.warn({ err: fault }, 'the sandbox provider does not call back')
  }
}

/** What payment events are sent with: a key of an account and the secret that signs. */
export type PaymentReceiver = { readonly accountId: string; readonly key: string; readonly secret: string }

/**
 * Has the provider report what payers do, with the key and the secret of the development account: for that account's
 * payments, and for codes that payers scan, which name no account.
 */
export async function registerPayments(
  provider: Provider,
  { accountId, key, secret }: PaymentReceiver,
  url: string,
  log: Log,
): Promise<void> {
  try {
    await endEarlier(provider, '/payment-receivers', 'receivers', (each) => each === `${url}/webhooks`)
    const receiver = { url: `${url}/webhooks`, api_key: key, secret }
    for (const whose of [{}, { account_id: accountId }])
      await ask(provider, 'POST', '/payment-receivers', { ...receiver, ...whose })
  } catch (fault) {
    log.warn({ err: fault }, 'the sandbox provider does not tell of payments')
  }
}

async function endEarlier(
  provider: Provider,
  path: string,
  name: string,
  isOurs: (url: string) => boolean,
): Promise<void> {
  const listed = ((await ask(provider, 'GET', path, null)) as Record<string, { id: string; url: string }[]>)[name] ?? []
  for (const { id, url } of listed)
    if (!provider.isShared || isOurs(url)) await ask(provider, 'DELETE', `${path}/${id}`, null)
}

async function ask(
  { url, token }: Provider,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body: unknown,
): Promise<unknown> {
  const reply = await request(url + path, {
    method,
    body: body === null ? null : JSON.stringify(body),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  })
  const text = await reply.body.text()
  if (reply.statusCode !== 200) throw new Error(`${method} ${path} was answered with ${reply.statusCode}: ${text}`)
  return JSON.parse(text)
}
