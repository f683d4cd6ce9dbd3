// An account that calls the gateway, in the words of a story. What should succeed and does not fails the test at once.
import type { NewAccount } from '../src/app/accounts/accounts.ts'
import type { OwnersTransfer } from '../src/wire/transfer.ts'
import type { Client, Method, Reply, Sent } from './world-client.ts'

export type ContractBody = OwnersTransfer
export type WalletBody = { id: string; currency: string; available: number; held: number; in_transit: number }
export type Fields = Readonly<Record<string, unknown>>

export type Caller = {
  readonly account: NewAccount
  readonly apiKey: string
  readonly keyId: string
  /** One request with the account's key, whatever comes of it. */
  readonly ask: (method: Method, url: string, sent?: Sent) => Promise<Reply>
  /** A draft that could be issued, with these fields in place of its own; null leaves one out. */
  readonly draft: (fields?: Fields) => Promise<ContractBody>
  readonly issued: (fields?: Fields) => Promise<ContractBody>
  readonly paid: (fields?: Fields) => Promise<ContractBody>
  readonly update: (id: string, fields: Fields) => Promise<ContractBody>
  readonly issue: (id: string) => Promise<ContractBody>
  readonly pay: (id: string) => Promise<ContractBody>
  readonly cancel: (id: string, reason?: string) => Promise<ContractBody>
  readonly get: (id: string) => Promise<ContractBody>
  readonly wallet: (currency: string) => Promise<WalletBody>
  /** What the wallet has available. */
  readonly balance: (currency: string) => Promise<number>
  /** Every row of a list, page by page. */
  readonly all: <T>(path: string, member: string, limit?: number) => Promise<T[]>
}

/** What a draft on the sandbox channel needs to be issued: 100 PHP, whose fee is 10.50. */
export const READY: Fields = {
  amount: 100,
  currency: 'PHP',
  channel: 'sandbox',
  recipient: { name: 'Ana Reyes', wallet: '000123456789' },
}

/** Speaks for an account through a client. */
export function callerOf(
  client: Client,
  account: NewAccount,
  key: { readonly keyId: string; readonly text: string },
): Caller {
  const ask: Caller['ask'] = (method, url, sent = {}) =>
    client.ask(method, url, { ...sent, headers: { 'x-api-key': key.text, ...sent.headers } })
  const contract = async (method: Method, url: string, body?: Fields): Promise<ContractBody> => {
    const { data } = succeeded(await ask(method, url, body === undefined ? {} : { body }), `${method} ${url}`)
    return data['contract'] as ContractBody
  }
  const draft = (fields: Fields = {}) => contract('POST', '/contracts/transfer', bodyWith(fields))
  const issue = (id: string) => contract('PUT', `/contracts/transfer/${id}/issue`)
  const pay = (id: string) => contract('PUT', `/contracts/transfer/${id}/pay`)
  const issued = async (fields?: Fields) => issue((await draft(fields)).id)
  const wallet = async (currency: string) => {
    const { data } = succeeded(await ask('GET', '/wallets'), 'GET /wallets')
    const found = (data['wallets'] as WalletBody[]).find((each) => each.currency === currency)
    if (!found) throw new Error(`no wallet in ${currency}`)
    return found
  }
  return {
    account,
    apiKey: key.text,
    keyId: key.keyId,
    ask,
    draft,
    issued,
    paid: async (fields) => pay((await issued(fields)).id),
    update: (id, fields) => contract('PATCH', `/contracts/transfer/${id}`, fields),
    issue,
    pay,
    cancel: (id, reason) => contract('DELETE', `/contracts/transfer/${id}`, reason === undefined ? {} : { reason }),
    get: (id) => contract('GET', `/contracts/transfer/${id}`),
    wallet,
    balance: async (currency) => (await wallet(currency)).available,
    all: <T>(path: string, member: string, limit = 100) => allOf<T>(ask, path, member, limit),
  }
}

/** A draft's body: ready for issue but for these fields. */
function bodyWith(fields: Fields): Fields {
  return Object.fromEntries(Object.entries({ ...READY, ...fields }).filter(([, value]) => value !== null))
}

function succeeded(reply: Reply, what: string): Reply {
  if (reply.status !== 200) throw new Error(`${what}: ${reply.status} ${reply.text}`)
  return reply
}

async function allOf<T>(ask: Caller['ask'], path: string, member: string, limit: number): Promise<T[]> {
  const all: T[] = []
  let next: string | null = null
  do {
    const url: string = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${next === null ? '' : `&after=${next}`}`
    const { data }: Reply = succeeded(await ask('GET', url), url)
    all.push(...(data[member] as T[]))
    next = data['next'] as string | null
  } while (next !== null)
  return all
}
