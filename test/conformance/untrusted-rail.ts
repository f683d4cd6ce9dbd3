// A server that is no rail: it hears what a connector sends and answers what no rail should. For the conformance suite.
// It must not know any connector.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Connector } from '../../src/connectors/connector.ts'

/** Answers that prove nothing, whatever rail gave them. */
export const DOUBTFUL_ANSWERS: readonly (readonly [status: number, body: string])[] = [
  [200, ''],
  [200, 'null'],
  [200, '{}'],
  [200, '{"status":"completed","reference":"another"}'],
  [200, '<html>welcome</html>'],
  [202, '{}'],
  [302, ''],
  [404, '<html>no such page</html>'],
  [408, '{}'],
  [409, '{}'],
  [429, '{"code":"account_closed","status":"refused"}'],
  [500, '{"code":"account_closed","status":"refused"}'],
  [502, ''],
  [503, '{}'],
]

/** Points the connector at a server of its own, and returns the requests that came there, head and body. */
export async function overheard(
  pointedAt: (baseUrl: string) => Connector,
  use: (connector: Connector) => Promise<unknown>,
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end(),
): Promise<string[]> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const parts = [request.method ?? '', request.url ?? '', ...request.rawHeaders]
    const at = requests.push(parts.join('\n')) - 1
    request.on('data', (chunk: Buffer) => {
      requests[at] += chunk.toString('utf8')
    })
    request.on('end', () => answer(request, response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  try {
    await use(pointedAt(addressOf(server.address() as AddressInfo)))
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return requests
}

/** An address where somebody listened a moment ago, and nobody does now. */
export async function closedAddress(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const address = addressOf(server.address() as AddressInfo)
  await new Promise((resolve) => server.close(resolve))
  return address
}

function addressOf(address: AddressInfo): string {
  return `http://127.0.0.1:${address.port}`
}
