// A client of the tools, with the protocol's own library: over HTTP with a key, or to a process over its standard input.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

type Data = Readonly<Record<string, never>> & {
  readonly confirmation?: string
  readonly done?: boolean
  readonly error?: { readonly code: string; readonly message: string }
  readonly contract?: { readonly id: string; readonly status: string; readonly version: number }
}
export type Answer = { readonly isError: boolean; readonly text: string; readonly data: Data }

export type ToolClient = {
  readonly client: Client
  readonly use: (tool: string, input?: object) => Promise<Answer>
  readonly close: () => Promise<void>
}

export async function toolClient(transport: Transport): Promise<ToolClient> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  return {
    client,
    use: async (tool, input = {}) => {
      const result = await client.callTool({ name: tool, arguments: input as Record<string, unknown> })
      const [first] = result.content as readonly { readonly text: string }[]
      return {
        isError: result.isError === true,
        text: first?.text ?? '',
        data: result.structuredContent as Data,
      }
    },
    close: () => client.close(),
  }
}

export const overHttp = (url: string, apiKey: string) => {
  const requestInit = { headers: { 'x-api-key': apiKey } }
  return toolClient(new StreamableHTTPClientTransport(new URL(url), { requestInit }) as Transport)
}

export const DRAFT = {
  amount: '100.00',
  currency: 'PHP',
  channel: 'sandbox',
  recipient: { name: 'Ana Reyes', wallet: '000123456789' },
}

export function contractIdOf({ data, text }: Answer): string {
  if (data.contract === undefined) throw new Error(text)
  return data.contract.id
}
