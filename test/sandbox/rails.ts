// The sandbox provider's rails as their customers call them. The bank messages are written and read by the gateway's
// own formats, which share nothing with the provider: each is the other's second opinion.
import { createHmac } from 'node:crypto'
import { rmSync } from 'node:fs'
import { startSandbox } from '../../sandbox/server.ts'
import { type BankTransfers, writePacs008 } from '../../src/formats/iso20022/pacs008.ts'
import { readPacs002 } from '../../src/formats/iso20022/pacs002.ts'
import { type TransferFile, writePain001 } from '../../src/formats/iso20022/pain001.ts'
import { readPain002 } from '../../src/formats/iso20022/pain002.ts'
import type { MessageKind } from '../../src/formats/iso20022/messages.ts'
import type { Reading } from '../../src/formats/iso20022/reading.ts'
import { schemaFaults } from '../iso20022/schema-faults.ts'
import { newFolder, TOKEN } from '../connectors/provider.ts'

export type Said = { readonly status: number; readonly text: string }

/** A provider of its own, in this process. */
export async function openProvider() {
  const dataDir = newFolder()
  const sandbox = await startSandbox({ port: 0, dataDir })
  return {
    url: sandbox.url,
    async close() {
      await sandbox.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}

export type Json = Record<string, unknown>

export async function call(
  url: string,
  method: string,
  path: string,
  options: { readonly headers?: Record<string, string>; readonly body?: string; readonly timeoutMs?: number } = {},
): Promise<Said> {
  const { headers = {}, body, timeoutMs = 10_000 } = options
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await fetch(url + path, { method, headers, signal, ...(body === undefined ? {} : { body }) })
  return { status: response.status, text: await response.text() }
}

export const parsed = (said: Said) => ({ status: said.status, body: JSON.parse(said.text) as Json })

/** The provider's control: scenarios, clock, books. */
export async function control(url: string, method: string, path: string, body?: unknown): Promise<Json> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const said = parsed(
    await call(url, method, path, { headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
  )
  if (said.status !== 200) throw new Error(`${method} ${path} is ${said.status}: ${JSON.stringify(said.body)}`)
  return said.body
}

export async function script(url: string, scenario: Json): Promise<string> {
  return String((await control(url, 'POST', '/scenarios', scenario))['id'])
}

export const advance = (url: string, seconds: number) => control(url, 'POST', '/clock', { advance_seconds: seconds })

/** What the provider did under a reference, whatever it says. */
export async function truth(url: string, rail: string, reference: string) {
  const headers = { authorization: `Bearer ${TOKEN}` }
  const said = parsed(await call(url, 'GET', `/${rail}/books/${encodeURIComponent(reference)}`, { headers }))
  return said.status === 404 ? null : (said.body as Json & { status: string; executions: number; returns: number })
}

const NOBODY = { country: null, addressLines: [], email: null, mobile: null }

export type Payee = { readonly account?: string; readonly bank?: string; readonly name?: string | null }

const creditOf = ({ account = '001234567890', bank = 'BOPIPHMM', name = 'Ana Peña & Sons' }: Payee) => ({
  creditorBank: bank === 'BOPIPHMM' ? { bic: bank } : { memberId: bank },
  creditor: { ...NOBODY, name },
  creditorAccount: account,
  remittance: 'Rice <5 kg>',
})

let messages = 0
/** Each message has an id of its own, also when it carries the same order again. */
const nextHeader = () => ({ messageId: `MSG-${(messages += 1)}`, createdAt: new Date().toISOString() })

export function pacs008(endToEndId: string, amount = '100.00', payee: Payee = {}, currency = 'PHP'): string {
  const message: BankTransfers = {
    ...nextHeader(),
    transfers: [
      {
        instructionId: null,
        endToEndId,
        uetr: null,
        amountDecimal: amount,
        currency,
        debtor: { ...NOBODY, name: 'Gateway' },
        debtorBank: { memberId: 'GATEWAY' },
        ...creditOf(payee),
      },
    ],
  }
  return writePacs008(message)
}

export type Item = readonly [endToEndId: string, amount?: string, payee?: Payee]

export function pain001(messageId: string, items: readonly Item[], currency = 'PHP'): string {
  const file: TransferFile = {
    messageId,
    createdAt: '2026-07-01T08:00:00.000Z',
    paymentId: `${messageId}-P`,
    executeOn: '2026-07-01',
    debtor: { ...NOBODY, name: 'Gateway' },
    debtorAccount: '990000000001',
    debtorBank: { bic: 'MBTCPHMM' },
    currency,
    items: items.map(([endToEndId, amount = '100.00', payee = {}]) => ({
      instructionId: null,
      endToEndId,
      uetr: null,
      amountDecimal: amount,
      ...creditOf(payee),
    })),
  }
  return writePain001(file)
}

/** A message of the provider: valid by the schema, and read. */
export function valid<T>(kind: MessageKind, read: (bytes: Uint8Array) => Reading<T>, { status, text }: Said): T {
  const bytes = Buffer.from(text)
  const faults = status === 200 ? schemaFaults(kind, bytes) : [`status ${status}: ${text}`]
  if (faults.length > 0) throw new Error(`no valid ${kind}: ${faults.join('; ')}`)
  const reading = read(bytes)
  if (!('message' in reading)) throw new Error(`cannot be read: ${JSON.stringify(reading)}`)
  return reading.message
}

type Word = { readonly status: string; readonly code: string | null; readonly amount: string | null }

/** What a status report of one credit transfer says. */
export function wordOf(said: Said): Word {
  const [transfer] = valid('pacs.002.001.10', readPacs002, said).transfers
  if (!transfer) throw new Error('a report about nothing')
  return { status: transfer.status, code: codeIn(transfer), amount: transfer.amount?.amountDecimal ?? null }
}

/** What a status report of a file says: its group status, and each item as "ACCP" or "RJCT AC04". */
export function wordsOf(said: Said): { readonly group: string | null; readonly items: Record<string, string> } {
  const report = valid('pain.002.001.10', readPain002, said)
  const items = report.payments.flatMap((payment) =>
    payment.items.map((item) => [item.originalEndToEndId, [item.status, codeIn(item)].filter(Boolean).join(' ')]),
  )
  return { group: report.groupStatus, items: Object.fromEntries(items) as Record<string, string> }
}

type Reasoned = { readonly reasons: readonly { readonly code: string | null; readonly proprietary: string | null }[] }
const codeIn = ({ reasons }: Reasoned) => reasons[0]?.code ?? reasons[0]?.proprietary ?? null

export const sendCredit = (url: string, message: string, timeoutMs?: number) =>
  call(url, 'POST', '/instapay/credit-transfers', {
    headers: { 'content-type': 'application/xml' },
    body: message,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })

export const askCredit = (url: string, reference: string, timeoutMs = 10_000) =>
  call(url, 'GET', `/instapay/credit-transfers/${reference}`, { timeoutMs })

export const sendFile = (url: string, messageId: string, file: string) =>
  call(url, 'PUT', `/pesonet/files/${messageId}`, { headers: { 'content-type': 'application/xml' }, body: file })

const gcashHeaders = (method: string, path: string, body: string, secret: string) => {
  const time = '2026-07-01T08:00:00+08:00'
  const text = `${method} ${path}\nsandbox-client.${time}.${body}`
  const signature = createHmac('sha256', secret).update(text).digest('base64')
  return {
    'client-id': 'sandbox-client',
    'request-time': time,
    signature: `algorithm=HMAC-SHA256, signature=${signature}`,
  }
}

export async function gcash(url: string, method: string, path: string, body?: unknown, secret = 'sandbox-secret') {
  const text = body === undefined ? '' : JSON.stringify(body)
  const headers = gcashHeaders(method, path, text, secret)
  return parsed(await call(url, method, path, { headers, ...(body === undefined ? {} : { body: text }) }))
}

/** `body` is text, because JSON.stringify could not write 100.10. */
export async function maya(url: string, method: string, path: string, body?: string, headers?: Record<string, string>) {
  const authorization = `Basic ${Buffer.from('sandbox-key:').toString('base64')}`
  const options = { headers: { authorization, ...headers }, ...(body === undefined ? {} : { body }) }
  return call(url, method, path, options)
}
