// What stories of the payment page share: a gateway on a port of its own, which the sandbox provider tells of payments.
import { createReceiverKey } from '../../src/app/accounts/receiver-secrets.ts'
import type { Config } from '../../src/main/config/config.ts'
import { freePort } from '../rig/gateway-child.ts'
import { openWorld, type World } from '../world.ts'

export type Payable = {
  readonly id: string
  readonly status: string
  readonly checkout_url: string
  readonly attempts: readonly unknown[]
  readonly next_action: { readonly data?: string; readonly url?: string } | null
}

export type CheckoutWorld = World & {
  readonly url: string
  /** A payment contract over 1,250.00 PHP, with these fields in place of its own. */
  readonly payable: (fields?: Readonly<Record<string, unknown>>) => Promise<Payable>
  readonly paymentOf: (id: string) => Promise<Payable>
  /** Pays by a card's token, as a page of the merchant's own does. */
  readonly payByCard: (id: string) => Promise<void>
  readonly cancel: (id: string) => Promise<void>
  /** Pays at the sandbox provider by the text of a QR code, as a bank's app does. */
  readonly scan: (code: string) => Promise<void>
}

export async function openCheckoutWorld(config: Partial<Config> = {}): Promise<CheckoutWorld> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const world = await openWorld({ config: { publicUrl: url, ...config } })
  const { gateway, caller, sandboxUrl } = world
  await gateway.app.listen({ host: '127.0.0.1', port })
  const { deps } = gateway
  const wanted = { name: 'Provider', livemode: false, scopes: ['events:write'], expiresInSeconds: null } as const
  const provider = await createReceiverKey(deps.reader, deps.webhooks.sealing, caller.account, wanted, Date.now())
  const receiver = { url: `${url}/webhooks`, api_key: provider.text, secret: provider.secret }
  const json = { 'content-type': 'application/json' }
  await sent(`${sandboxUrl}/payment-receivers`, { method: 'POST', body: JSON.stringify(receiver), headers: json })
  const contract = ({ data }: { readonly data: Readonly<Record<string, unknown>> }) => data['contract'] as Payable
  return {
    ...world,
    url,
    payable: async (fields = {}) => {
      const body = { amount: 1250, currency: 'PHP', description: 'Ferry to Coron', ...fields }
      const reply = await caller.ask('POST', '/contracts/payment', { body })
      if (reply.status !== 200) throw new Error(`no payment contract but ${reply.status}: ${reply.text}`)
      return contract(reply)
    },
    paymentOf: async (id) => contract(await caller.ask('GET', `/contracts/payment/${id}`)),
    payByCard: async (id) => {
      const body = { type: 'card', card: { token: 'tok_visa' } }
      const reply = await caller.ask('PUT', `/contracts/payment/${id}/pay`, { body })
      if (reply.status !== 200) throw new Error(`not paid but ${reply.status}: ${reply.text}`)
    },
    cancel: (id) =>
      sent(`${url}/contracts/payment/${id}`, { method: 'DELETE', headers: { 'x-api-key': caller.apiKey } }),
    scan: (code) => sent(`${sandboxUrl}/payer/qrph`, { method: 'POST', body: new URLSearchParams({ code }) }),
  }
}

async function sent(url: string, request: RequestInit): Promise<void> {
  const reply = await fetch(url, request)
  if (reply.status !== 200) throw new Error(`${request.method} ${url}: ${reply.status} ${await reply.text()}`)
}
