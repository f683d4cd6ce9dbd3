// Has the sandbox provider beside this gateway call back, as a real one would: signed, under a secret of this start.
import { request } from 'undici'
import { newSigningSecret } from '../app/endpoint-secrets.ts'
import type { Log } from '../platform/log.ts'
import type { Config } from './config.ts'
import type { DevFile } from './development.ts'

const RAILS = ['instapay', 'pesonet', 'gcash', 'maya'] as const
const TIMEOUT_MS = 5000

/** The configuration with a secret for each rail that is the sandbox provider's and has none. */
export function withSandboxSecrets(config: Config): Config {
  const made = RAILS.filter((rail) => !config.callbackSecrets.has(rail)).map((rail): [string, string[]] => [
    rail,
    [newSigningSecret()],
  ])
  return { ...config, callbackSecrets: new Map([...config.callbackSecrets, ...made]) }
}

/** Registers this gateway with the provider, in place of what was registered before. News is read all the same. */
export async function registerCallbacks(config: Config, sandboxUrl: string, url: string, log: Log): Promise<void> {
  try {
    const { callbacks } = (await ask(`${sandboxUrl}/callbacks`, 'GET', null)) as { callbacks: { id: string }[] }
    for (const { id } of callbacks) await ask(`${sandboxUrl}/callbacks/${id}`, 'DELETE', null)
    for (const rail of RAILS) {
      const secret = config.callbackSecrets.get(rail)?.[0]
      await ask(`${sandboxUrl}/callbacks`, 'POST', { url: `${url}/channels/${rail}/callbacks`, secret, rails: [rail] })
    }
  } catch (fault) {
    log.warn({ err: fault }, 'the sandbox provider does not call back')
  }
}

/**
 * Has the provider tell what payers do, with the key and the secret of the development account: of that account's payments,
 * and of codes of QR Ph, which name no account.
 */
export async function registerPayments(
  { account_id: accountId, webhook_key: key, webhook_secret: secret }: DevFile,
  sandboxUrl: string,
  url: string,
  log: Log,
): Promise<void> {
  try {
    const { receivers } = (await ask(`${sandboxUrl}/payment-receivers`, 'GET', null)) as { receivers: { id: string }[] }
    for (const { id } of receivers) await ask(`${sandboxUrl}/payment-receivers/${id}`, 'DELETE', null)
    const receiver = { url: `${url}/webhooks`, api_key: key, secret }
    for (const whose of [{}, { account_id: accountId }])
      await ask(`${sandboxUrl}/payment-receivers`, 'POST', { ...receiver, ...whose })
  } catch (fault) {
    log.warn({ err: fault }, 'the sandbox provider does not tell of payments')
  }
}

async function ask(url: string, method: 'GET' | 'POST' | 'DELETE', body: unknown): Promise<unknown> {
  const reply = await request(url, {
    method,
    body: body === null ? null : JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  })
  const text = await reply.body.text()
  if (reply.statusCode !== 200)
    throw new Error(`${method} ${new URL(url).pathname} was answered with ${reply.statusCode}: ${text}`)
  return JSON.parse(text)
}
