// gateway webhooks: endpoints, their deliveries and their tries, over HTTP. Each command is parse, one call, print.
import type { Command } from 'commander'
import { commandWithJson, durationSeconds, groupOf, wholeNumber, type WithJson } from '../arguments.ts'
import { type Call, call, type PlaceOptions, placeOf, withPlace } from '../client.ts'
import { note, print, printJson } from '../output.ts'
import { deliveryId, endpointId, eventIdText, eventType } from './webhook-arguments.ts'
import { createCommand, updateCommand } from './webhook-endpoint.ts'
import { replayCommand } from './webhook-replay.ts'
import { signCommand, verifySignatureCommand } from './webhook-signing.ts'
import {
  type AttemptBody,
  type DeliveryBody,
  type DeliveryTestBody,
  type EndpointBody,
  printAttempts,
  printDeliveries,
  printEndpoint,
  printEndpoints,
  printTest,
  secretsNote,
} from './webhook-view.ts'

type Options = WithJson & PlaceOptions

export function webhooksCommand(): Command {
  return groupOf('webhooks', 'make, watch and mend the endpoints that events are delivered to', [
    listCommand(),
    createCommand(),
    getCommand(),
    updateCommand(),
    changeCommand('pause', 'stop deliveries; what happens meanwhile waits', 'PUT', '/pause'),
    changeCommand('resume', 'go on with deliveries, or enable what was disabled', 'PUT', '/resume'),
    changeCommand('delete', 'delete an endpoint and its secrets', 'DELETE', ''),
    rollCommand(),
    testCommand(),
    deliveriesCommand(),
    attemptsCommand(),
    replayCommand(),
    signCommand(),
    verifySignatureCommand(),
  ])
}

function one(name: string, description: string, examples: readonly string[]): Command {
  return withPlace(commandWithJson(name, description, examples)).argument('<id>', 'the endpoint', endpointId)
}

const pathOf = (id: string) => `/webhook-endpoints/${id}`

function listCommand(): Command {
  const list = withPlace(commandWithJson('list', 'list endpoints and how they fare', ['gateway webhooks list']))
  return list.action(async (options: Options) => {
    const data = await call<{ webhook_endpoints: EndpointBody[] }>(placeOf(options), {
      method: 'GET',
      path: '/webhook-endpoints',
    })
    if (options.json) printJson(data)
    else printEndpoints(data.webhook_endpoints)
  })
}

function getCommand(): Command {
  return one('get', 'show an endpoint and how it fares', ['gateway webhooks get 0198…']).action(
    (id: string, options: Options) => endpoint(options, { method: 'GET', path: pathOf(id) }),
  )
}

function changeCommand(name: string, description: string, method: Call['method'], suffix: string): Command {
  return one(name, description, [`gateway webhooks ${name} 0198…`]).action((id: string, options: Options) =>
    endpoint(options, { method, path: `${pathOf(id)}${suffix}` }),
  )
}

async function endpoint(options: Options, what: Call): Promise<void> {
  const data = await call<{ webhook_endpoint: EndpointBody }>(placeOf(options), what)
  if (options.json) printJson(data)
  else printEndpoint(data.webhook_endpoint)
}

function rollCommand(): Command {
  return one('roll-secret', 'make a new secret; the old one signs too until the overlap ends', [
    'gateway webhooks roll-secret 0198…',
    'gateway webhooks roll-secret 0198… --overlap 0s',
  ])
    .option('--overlap <duration>', 'for how long both sign, up to 7d (default: 24h)', durationSeconds)
    .action(async (id: string, options: Options & { readonly overlap?: number }) => {
      const body = options.overlap === undefined ? {} : { overlap_seconds: options.overlap }
      await endpoint(options, { method: 'POST', path: `${pathOf(id)}/roll-secret`, body })
      if (!options.json) secretsNote()
    })
}

function testCommand(): Command {
  return one('test', 'send a signed sample event now, once; exit code 1 when it is not taken', [
    'gateway webhooks test 0198… --type completed',
  ])
    .option('--type <type>', 'the type of the sample (default: contract.paid)', eventType)
    .action(async (id: string, options: Options & { readonly type?: string }) => {
      const body = options.type === undefined ? {} : { type: options.type }
      const what: Call = { method: 'POST', path: `${pathOf(id)}/test`, body }
      const data = await call<{ delivery_test: DeliveryTestBody }>(placeOf(options), what)
      if (options.json) printJson(data)
      else printTest(data.delivery_test)
      if (!data.delivery_test.delivered) process.exitCode = 1
    })
}

type DeliveriesOptions = Options & {
  readonly status?: string
  readonly event?: string
  readonly limit?: number
  readonly after?: string
}

function deliveriesCommand(): Command {
  return one('deliveries', 'list the deliveries of an endpoint, newest first', [
    'gateway webhooks deliveries 0198… --status dead',
  ])
    .option('--status <status>', 'only those that are pending, delivered, dead or held')
    .option('--event <event>', 'only those of this event', eventIdText)
    .option('--limit <n>', 'at most so many, up to 100', wholeNumber)
    .option('--after <cursor>', 'go on after the page that ended with this')
    .action(async (id: string, options: DeliveriesOptions) => {
      const { status, event, limit, after } = options
      const what: Call = { method: 'GET', path: `${pathOf(id)}/deliveries`, query: { status, event, limit, after } }
      const page = await call<{ deliveries: DeliveryBody[]; next: string | null }>(placeOf(options), what)
      if (options.json) return printJson(page)
      printDeliveries(page.deliveries)
      if (page.next !== null) note(`More: gateway webhooks deliveries ${id} --after ${page.next}`)
    })
}

function attemptsCommand(): Command {
  return one('attempts', 'show each try of a delivery: what was sent, what came back', [
    'gateway webhooks attempts 0198… dlv_17_0',
  ])
    .argument('<delivery>', 'the delivery', deliveryId)
    .action(async (id: string, delivery: string, options: Options) => {
      const what: Call = { method: 'GET', path: `${pathOf(id)}/deliveries/${delivery}/attempts` }
      const data = await call<{ attempts: AttemptBody[] }>(placeOf(options), what)
      if (options.json) return printJson(data)
      printAttempts(data.attempts)
      if (data.attempts.length === 0) print('No try is on record: none was made yet, or it was more than 30 days ago.')
    })
}
