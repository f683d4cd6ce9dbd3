// gateway webhooks create and update: what an endpoint may be told. Here --url is the receiver, and --gateway the gateway.
import { type Command, Option } from 'commander'
import { commandWithJson, wholeNumber, type WithJson } from '../arguments.ts'
import { call, placeOf } from '../client.ts'
import { printJson } from '../output.ts'
import { endpointId, eventFilter, httpUrl } from './webhook-arguments.ts'
import { type EndpointBody, printEndpoint, secretsNote } from './webhook-view.ts'

type Options = WithJson & { readonly gateway?: string; readonly apiKey?: string }
type Settings = Options & {
  readonly url?: string
  readonly events?: readonly string[]
  readonly description?: string
  readonly bearerToken?: string
  readonly inFlightMax?: number
}

function withSettings(command: Command): Command {
  return command
    .addOption(new Option('--gateway <url>', 'the gateway (default: that of dev.json)').env('GATEWAY_URL'))
    .addOption(new Option('--api-key <key>', 'the key (default: that of dev.json)').env('GATEWAY_API_KEY'))
    .option('--events <types>', 'which events, such as paid,completed, or * for all', eventFilter)
    .option('--description <text>')
    .option('--bearer-token <token>', 'what the receiver finds in Authorization (default: one is made)')
    .option('--in-flight-max <n>', 'how many deliveries at once, 1 to 16 (default: 4)', wholeNumber)
}

const placeFor = ({ gateway, apiKey }: Options) =>
  placeOf({ ...(gateway === undefined ? {} : { url: gateway }), ...(apiKey === undefined ? {} : { apiKey }) })

function bodyOf({ url, events, description, bearerToken, inFlightMax }: Settings): Record<string, unknown> {
  return { url, events, description, bearer_token: bearerToken, in_flight_max: inFlightMax }
}

export function createCommand(): Command {
  const command = commandWithJson('create', 'have events delivered to an address; shows the secret, once', [
    'gateway webhooks create --url https://shop.example/webhooks',
    'gateway webhooks create --url http://127.0.0.1:8080/webhooks --events paid,completed',
  ])
  return withSettings(command)
    .requiredOption('--url <url>', 'where the receiver is', httpUrl)
    .action(async (settings: Settings) => {
      const body = bodyOf(settings)
      const data = await call<{ webhook_endpoint: EndpointBody }>(placeFor(settings), {
        method: 'POST',
        path: '/webhook-endpoints',
        body,
      })
      if (settings.json) return printJson(data)
      printEndpoint(data.webhook_endpoint)
      secretsNote()
    })
}

type Update = Settings & { readonly status?: string }

export function updateCommand(): Command {
  const command = commandWithJson('update', 'change an endpoint; only what is given changes', [
    'gateway webhooks update 0198… --url https://shop.example/new',
    'gateway webhooks update 0198… --status disabled',
  ])
  return withSettings(command)
    .argument('<id>', 'the endpoint', endpointId)
    .option('--url <url>', 'where the receiver is', httpUrl)
    .addOption(new Option('--status <status>', 'switch it on or off').choices(['enabled', 'disabled']))
    .action(async (id: string, settings: Update) => {
      const body = { ...bodyOf(settings), status: settings.status }
      const data = await call<{ webhook_endpoint: EndpointBody }>(placeFor(settings), {
        method: 'PATCH',
        path: `/webhook-endpoints/${id}`,
        body,
      })
      if (settings.json) printJson(data)
      else {
        printEndpoint(data.webhook_endpoint)
        if (data.webhook_endpoint.secret !== null) secretsNote()
      }
    })
}
