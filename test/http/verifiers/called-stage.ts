// A verifier of an account's own, for tests: a server on this machine that keeps what it is sent and answers as it is told.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyServiceSignature } from '../../../sdk/src/signature.ts'
import type { Caller } from '../../world.ts'

export type Asked = {
  readonly id: string
  readonly type: string
  readonly code?: string
  readonly to?: string
  readonly recipient: { readonly name: string | null }
}

export type Answer = { readonly status?: number; readonly headers?: Record<string, string>; readonly body: string }

export type Service = {
  readonly url: string
  readonly asked: Asked[]
  /** Whether each request was signed by the secret. */
  readonly signed: (secret: string) => boolean[]
  answer: (asked: Asked, path: string) => Answer | Promise<Answer>
  readonly stop: () => Promise<void>
}

export async function openService(): Promise<Service> {
  const requests: { readonly body: Buffer; readonly signature: string }[] = []
  const asked: Asked[] = []
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      requests.push({ body, signature: String(request.headers['service-signature']) })
      const sent = JSON.parse(body.toString('utf8')) as Asked
      asked.push(sent)
      void Promise.resolve(service.answer(sent, request.url ?? '')).then((reply) => {
        response.writeHead(reply.status ?? 200, reply.headers).end(reply.body)
      })
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const service: Service = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    signed: (secret) =>
      requests.map(({ body, signature }) => {
        const window = { nowSeconds: Date.now() / 1000, toleranceSeconds: 300 }
        return verifyServiceSignature(body, signature, [secret], window).ok
      }),
    answer: ({ id }) => ({ body: JSON.stringify({ id, result: 'pass' }) }),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
  return service
}

export type Shown = {
  readonly id: string
  readonly status: string
  readonly evidence: Record<string, unknown>
  readonly reason: string | null
  readonly tries: number
}

type Made = { readonly id: string; readonly secret: string }

export async function verifierAt(owner: Caller, kind: 'http' | 'otp', url: string, more: object = {}): Promise<Made> {
  const made = await owner.ask('POST', '/verifiers', { body: { kind, name: `A ${kind}`, url, ...more } })
  if (made.status !== 200) throw new Error(made.text)
  return made.data['verifier'] as Made
}

export async function asked(owner: Caller, verifier: string, name = 'Ana Reyes', more: object = {}): Promise<string> {
  const body = { verifier, recipient: { name, mobile: '+639171234567' }, ...more }
  const reply = await owner.ask('POST', '/verifications', { body })
  if (reply.status !== 200) throw new Error(reply.text)
  return (reply.data['verification'] as Shown).id
}

export async function until(owner: Caller, id: string, is: (shown: Shown) => boolean): Promise<Shown> {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(20)) {
    const { data } = await owner.ask('GET', `/verifications/${id}`)
    const shown = data['verification'] as Shown
    if (is(shown)) return shown
  }
  throw new Error(`verification ${id} does not come to that`)
}

export const isEnded = ({ status }: Shown) => status !== 'pending'
export const isAnswered = ({ reason }: Shown) => reason !== null
