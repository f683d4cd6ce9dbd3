// What the SDK must do wherever it runs, as one function without Node: test/walks/sdk-runtimes.test.ts runs it in Node and in
// a browser, against the same gateway, and compares what came of it.
import { createGateway, GatewayError, sandbox } from '../../sdk/src/index.ts'
import { sign, verify, WebhookRefused } from '../../sdk/src/webhooks.ts'

export type Place = { readonly url: string; readonly apiKey?: string; readonly token?: string }

const DRAFT = {
  amount: '1500.50',
  currency: 'PHP',
  channel: 'sandbox',
  recipient: { name: 'Ana Cruz', wallet: '0012345678' },
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'no error',
    (fault: unknown) => (fault instanceof GatewayError ? fault.code : String(fault)),
  )

/** With an account's key: contracts in both directions, a list, a refusal, events from here on, a timeout, an end. */
export async function asAccount(place: Place): Promise<unknown> {
  const gateway = createGateway(place)
  const stop = new AbortController()
  const heard: string[] = []
  let opened = () => {}
  const open = new Promise<void>((resolve) => (opened = resolve))
  const following = (async () => {
    for await (const { type, id } of gateway.events.follow({ signal: stop.signal, onOpen: opened })) {
      heard.push(`${type} ${id}`)
      if (type === 'contract.completed') return
    }
  })()
  await open
  const draft = await gateway.transfers.create(DRAFT)
  const issued = await gateway.transfers.issue(draft)
  const paid = await gateway.transfers.pay(issued)
  const completed = await gateway.transfers.waitUntil(paid, 'completed', { timeoutMs: 60_000 })
  await following
  const closed = { ...DRAFT, recipient: { name: 'Ana Cruz', wallet: sandbox.outcomes.accountClosed } }
  const refused = await gateway.transfers.pay(await gateway.transfers.issue(await gateway.transfers.create(closed)))
  const ended = new AbortController()
  ended.abort(new GatewayError('ended', { code: 'ended' }))
  const listed = await gateway.transfers.list({ limit: 1 }).all(2)
  return {
    statuses: [draft.status, issued.status, paid.status, completed.status],
    amount: draft.amount,
    heard: heard.map((line) => line.split(' ')[0]),
    different: new Set(heard).size,
    disappointed: await codeOf(gateway.transfers.waitUntil(refused, 'completed', { timeoutMs: 60_000 })),
    listed: listed.map(({ id }) => id === refused.id || id === completed.id),
    unknown: await codeOf(gateway.transfers.get('00000000-0000-4000-8000-000000000000')),
    ended: await codeOf(gateway.accounts.me({ signal: ended.signal })),
    late: await codeOf(
      gateway.transfers.waitUntil({ id: (await gateway.transfers.create(DRAFT)).id }, 'paid', { timeoutMs: 50 }),
    ),
  }
}

/** With a token, as a shop's page has it: a payer pays, and the page waits for it without a stream. */
export async function asPayer(place: Place, paymentId: string): Promise<unknown> {
  const gateway = createGateway(place)
  const contract = await gateway.payments.get(paymentId)
  await gateway.payments.pay({ id: contract.id }, { type: 'card', card: { token: sandbox.cards.accepted } })
  const paid = await gateway.payments.waitUntil({ id: contract.id }, ['paid', 'completed'], { timeoutMs: 60_000 })
  return { before: contract.status, after: paid.status, foreign: await codeOf(gateway.wallets.list().page()) }
}

/** Signatures with the cryptography that is there. */
export async function asReceiver(secret: string): Promise<unknown> {
  const body = JSON.stringify({ id: 'evt_1', type: 'contract.paid', data: { object: { name: 'Ñiño 😀' } } })
  const signed = await sign({ id: 'evt_1', body, secrets: secret, timestampSeconds: 1_795_000_000 })
  const forged = await verify(`${body} `, signed, secret, { nowSeconds: 1_795_000_000 }).catch(
    (fault: unknown) => fault,
  )
  return {
    signed,
    event: await verify(body, signed, secret, { nowSeconds: 1_795_000_000 }),
    forged: forged instanceof WebhookRefused ? forged.reason : 'believed',
  }
}
