// The provider's rails that bring money in as their customers and payers call them, and a receiver of what is told.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { qrphCode } from '../../src/connectors/qrph/code.ts'
import { call, control, gcash, type Json, maya, parsed } from './rails.ts'

const RETURN_TO = {
  success: 'https://shop.example/ok',
  failure: 'https://shop.example/no',
  cancel: 'https://shop.example/back',
}
const METADATA = { contract_id: 'c-1', account_id: 'acc-1' }

export const gcashPayment = (requestId: string, value = '10000', change: Json = {}) => ({
  requestId,
  amount: { currency: 'PHP', value },
  order: { description: 'Rice <b>5 kg</b>' },
  redirectUrls: RETURN_TO,
  metadata: METADATA,
  ...change,
})
export const openGcash = (url: string, body: Json) => gcash(url, 'POST', '/gcash/v1/payments', body)

/** `value` is text, because JSON.stringify could not write 100.10. */
export const mayaCheckout = (reference: string, value = '100.00') =>
  JSON.stringify({
    requestReferenceNumber: reference,
    totalAmount: { value: 'VALUE', currency: 'PHP' },
    redirectUrl: RETURN_TO,
    metadata: METADATA,
  }).replace('"VALUE"', value)
export const openMaya = async (url: string, body: string) => parsed(await maya(url, 'POST', '/maya/checkouts', body))

export const cardIntent = (reference: string, token = 'tok_3ds', change: Json = {}) => ({
  reference,
  amount: 10000,
  currency: 'PHP',
  token,
  return_urls: RETURN_TO,
  metadata: METADATA,
  ...change,
})
export const openCard = (url: string, body: Json, reference = String(body['reference'])) =>
  card(url, 'POST', '/card/v1/payment_intents', body, { 'idempotency-key': reference })

export async function card(
  url: string,
  method: string,
  path: string,
  body?: Json,
  headers: Record<string, string> = {},
) {
  const options = { headers: { authorization: 'Bearer sandbox-key', ...headers } }
  return parsed(await call(url, method, path, { ...options, ...(body && { body: JSON.stringify(body) }) }))
}

export const codeFor = (reference: string, amountDecimal = '100.00') =>
  qrphCode({
    acquirerBic: 'MBTCPHMM',
    merchantId: 'GATEWAY-1',
    merchantName: 'Aling Nena',
    merchantCity: 'Manila',
    categoryCode: '5411',
    amountDecimal,
    reference,
  })

export const press = (page: unknown, action: string, more: Record<string, string> = {}) =>
  fetch(String(page), { method: 'POST', redirect: 'manual', body: new URLSearchParams({ action, ...more }) })

export type Told = {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: Json & { type: string; data: { object: Json } }
}

/** Hears what is told; answers what `answers` says, and 200 when there is nothing left. */
export async function openReceiver() {
  const told: Told[] = []
  const answers: number[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      told.push({ headers: request.headers, text, body: JSON.parse(text) as Told['body'] })
      response.writeHead(answers.shift() ?? 200).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`
  return {
    told,
    answers,
    address,
    register: (url: string, change: Json = {}) =>
      control(url, 'POST', '/payment-receivers', { url: address, api_key: 'gck_1', secret: 'whsec', ...change }),
    /** What was told of a reference, as its types. */
    typesOf: (reference: string) =>
      told.filter(({ body }) => body.data.object['reference'] === reference).map(({ body }) => body.type),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
