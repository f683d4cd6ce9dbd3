// Payers on the day of a restore: people at the provider's own pages and apps, who pay once, whatever becomes of the gateway
// meanwhile. Some put it off, and pay while the gateway is being recovered, or afterwards.
import { request } from 'undici'
import type { Contract } from '../caller.ts'

export type NextAction = { readonly type: string; readonly url?: string; readonly data?: string }

/** As much of an intent as its payer knows. */
export type Paying = { readonly number: number; readonly plan: string; hasPaid: boolean }

export type Payers = {
  /** The payer of an intent has seen what to do, and does it when the intent says so. */
  readonly meet: (intent: Paying, contract: Contract, next: NextAction | null) => Promise<void>
  /** A token of a card of the payer's own, which is used once. */
  readonly cardToken: () => Promise<string>
  /** Those who put it off until now pay. */
  readonly catchUp: (when: 'in recovery' | 'afterwards') => Promise<void>
  /** Pays a contract out of a wallet of this gateway: with the contract's token, by the key of the wallet. */
  readonly fromWallet: (contract: Contract & { readonly checkout_url?: string }) => Promise<{ readonly status: number }>
}

type Places = {
  readonly gatewayUrl: string
  /** Where the provider is now. */
  readonly providerUrl: () => string
  readonly payingKey: string
  /** The wallet of whoever pays by wallet. */
  readonly walletId: string
}

const PATIENCE = { headersTimeout: 15_000, bodyTimeout: 15_000 } as const

export function openPayers({ gatewayUrl, providerUrl, payingKey, walletId }: Places): Payers {
  const late: { readonly intent: Paying; readonly next: NextAction }[] = []
  const post = async (url: string, body: string, type: string) => {
    const headers = { 'content-type': type }
    const reply = await request(url, { ...PATIENCE, method: 'POST', headers, body })
    return { status: reply.statusCode, text: await reply.body.text() }
  }
  const json = (path: string, body: object) => post(providerUrl() + path, JSON.stringify(body), 'application/json')
  const pay = async (intent: Paying, next: NextAction) => {
    if (intent.hasPaid) return
    intent.hasPaid = true
    if (next.type === 'display_qr') {
      const payer = { name: `Payer ${intent.number}`, wallet: '001234567890', tag: 'BOPIPHMM' }
      await json('/qrph/pay', { code: next.data, payer })
      return
    }
    if (!next.url) return
    const act = intent.plan === 'declines' ? 'decline' : 'pay'
    const form = new URLSearchParams({ action: act, code: '123' }).toString()
    // The provider may have moved to another port with the gateway's next start.
    await post(providerUrl() + new URL(next.url).pathname, form, 'application/x-www-form-urlencoded')
  }
  return {
    meet: async (intent, _, next) => {
      if (next === null || intent.hasPaid || intent.plan === 'never') return
      if (intent.plan === 'pays' || intent.plan === 'declines') await pay(intent, next)
      else if (!late.some((each) => each.intent === intent)) late.push({ intent, next })
    },
    cardToken: async () => {
      const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' }
      const { text } = await json('/card/v1/tokens', card)
      return (JSON.parse(text) as { id: string }).id
    },
    catchUp: async (when) => {
      for (const { intent, next } of late) if (intent.plan === when) await pay(intent, next)
    },
    fromWallet: async ({ id, checkout_url: page = '' }) => {
      const token = page.slice(page.lastIndexOf('/') + 1)
      const headers = { 'content-type': 'application/json', 'x-api-key': payingKey, authorization: `Bearer ${token}` }
      const body = JSON.stringify({ type: 'wallet', wallet: { wallet_id: walletId } })
      const url = `${gatewayUrl}/contracts/payment/${id}/pay`
      const reply = await request(url, { ...PATIENCE, method: 'PUT', headers, body })
      await reply.body.text()
      return { status: reply.statusCode }
    },
  }
}
