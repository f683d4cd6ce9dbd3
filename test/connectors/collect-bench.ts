// The rails of the sandbox provider that bring money in, with a payer who uses their pages, as connectors are tried on them.
import { randomUUID } from 'node:crypto'
import type { Collects, Connector } from '../../src/connectors/connector.ts'
import { cardConnector } from '../../src/connectors/card/card.ts'
import type { CollectBench } from '../conformance/collect-conformance.ts'
import { gcashConnector } from '../../src/connectors/gcash/gcash.ts'
import { mayaConnector } from '../../src/connectors/maya/maya.ts'
import { qrphConnector } from '../../src/connectors/qrph/qrph.ts'
import type { CollectOrder, NextAction } from '../../src/domain/channel/collection.ts'
import type { PaymentKind } from '../../src/domain/payment/kinds.ts'
import { attemptReference, shortReference } from '../../src/domain/contract/ids.ts'
import type { Outbound } from '../../src/platform/outbound.ts'
import { call, control, type Json, parsed } from '../sandbox/rails.ts'

export type Collecting = Connector & Collects

// Waited for in full by the scenarios that hang.
const TIMEOUT_MS = 500

export const MERCHANT = {
  acquirerBic: 'MBTCPHMM',
  merchantId: 'GATEWAY-1',
  merchantName: 'Aling Nena Sari-sari Store',
  merchantCity: 'Quezon City',
  categoryCode: '5411',
}

type Kind = {
  readonly kind: PaymentKind
  readonly details: Readonly<Record<string, string>>
  readonly at: (outbound: Outbound, baseUrl: string) => Collecting
  readonly limits: readonly string[]
}

const WIRE = { timeoutMs: TIMEOUT_MS, apiKey: 'sandbox-key' }
const GCASH = { timeoutMs: TIMEOUT_MS, nowMs: Date.now, clientId: 'sandbox-client', secret: 'sandbox-secret' }

export const KINDS = {
  gcash: {
    kind: 'gcash',
    details: { mobile: '+639171234567' },
    at: (outbound, baseUrl) => gcashConnector({ ...GCASH, outbound, baseUrl }),
    limits: ['0.01', '0.10', '999999999999.99'],
  },
  maya: {
    kind: 'maya',
    details: {},
    at: (outbound, baseUrl) => mayaConnector({ ...WIRE, outbound, baseUrl }),
    limits: ['0.01', '0.10', '999999999999.99'],
  },
  card: {
    kind: 'card',
    details: {},
    at: (outbound, baseUrl) => cardConnector({ ...WIRE, outbound, baseUrl }),
    limits: ['0.01', '0.10', '999999999999.99'],
  },
  qrph: {
    kind: 'qr',
    details: { scheme: 'qrph' },
    at: (outbound, baseUrl) => qrphConnector({ ...WIRE, ...MERCHANT, payersChannel: 'instapay', outbound, baseUrl }),
    limits: ['0.01', '0.10', '9999999999.99'],
  },
} as const satisfies Record<string, Kind>
export type KindName = keyof typeof KINDS

export function collectOrder(name: KindName, amountDecimal: string, change: Partial<CollectOrder> = {}): CollectOrder {
  const { kind, details } = KINDS[name]
  const secret = kind === 'card' ? 'tok_3ds' : null
  const contractId = randomUUID()
  return {
    reference: attemptReference(contractId, 1),
    contractId,
    accountId: 'acc-1',
    channelId: name,
    livemode: false,
    amountMinor: BigInt(amountDecimal.replace('.', '')),
    amountDecimal,
    currency: 'PHP',
    description: 'Rice <5 kg> & "fish"',
    method: { kind, details, secret },
    returnTo: {
      success: 'https://shop.example/paid?id=1&ok=yes',
      failure: 'https://shop.example/failed',
      cancel: 'https://shop.example/back',
    },
    expiresAt: Date.now() + 3_600_000,
    quote: null,
    ...change,
  }
}

export function benchOf(name: KindName, url: string, outbound: Outbound): CollectBench {
  const kind: Kind = KINDS[name]
  const isLocal = name === 'qrph'
  return {
    connector: kind.at(outbound, url),
    order: (amountDecimal) => collectOrder(name, amountDecimal),
    lostAnswers: isLocal ? [] : ['100.31', '100.41', '100.43'],
    lostRefundAnswers: isLocal ? [] : ['10.31', '10.41', '10.43'],
    limits: kind.limits,
    pay: async (next) => void (await pay(url, next)),
    truth: (order) => truthOf(url, name, order),
    pointedAt: (baseUrl) => kind.at(outbound, baseUrl),
  }
}

/** A card that the payer types on the provider's own page. */
export function hostedCardBench(url: string, outbound: Outbound): CollectBench {
  const method = { kind: 'card', details: { hosted: 'yes' }, secret: null } as const
  return {
    ...benchOf('card', url, outbound),
    order: (amountDecimal) => collectOrder('card', amountDecimal, { method }),
    pay: async (next) => {
      if (next.type !== 'redirect') throw new Error(`the page of a card is ${next.type}`)
      const card = { action: 'pay', number: '4242 4242 4242 4242', expiry: '12/34', cvc: '123' }
      const { status } = await fetch(next.url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(card) })
      if (status !== 303) throw new Error(`the page of a card answered ${status}`)
    },
  }
}

/** What the payer does: presses a button of the rail's page, or has the bank pay the code. */
export async function pay(url: string, next: NextAction, action = 'pay'): Promise<Response | null> {
  if (next.type === 'redirect') return press(next.url, action)
  if (next.type === 'display_qr') await control(url, 'POST', '/qrph/pay', { code: next.data })
  return null
}

function press(page: string, action: string, code = '123456'): Promise<Response> {
  return fetch(page, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ action, code }) })
}

type Totals = Record<string, { paid_minor: string; refunded_minor: string }>

export async function truthOf(url: string, name: KindName, order: CollectOrder) {
  const reference = name === 'qrph' ? shortReference(order.contractId, 1) : order.reference
  const said = parsed(await call(url, 'GET', `/${name}/collections/${reference}`))
  if (said.status === 404) return { attempts: 0, paidMinor: 0n, refundedMinor: 0n }
  const body = said.body as Json & { attempts: number; totals: Totals }
  const totals = body.totals[order.currency]
  return {
    attempts: body.attempts,
    paidMinor: BigInt(totals?.paid_minor ?? '0'),
    refundedMinor: BigInt(totals?.refunded_minor ?? '0'),
  }
}
