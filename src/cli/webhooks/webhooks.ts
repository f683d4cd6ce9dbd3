// gateway webhooks: endpoints, their deliveries and their tries, over HTTP. Each command is parse, one call, print.
import type { Command } from 'commander'
import { durationSeconds, metadataPair, wholeNumber } from '../arguments.ts'
import { type Call, call, get, patch, post } from '../client.ts'
import { placeOf } from '../place.ts'
import {
  apiCommand,
  argument,
  choice,
  command,
  groupOf,
  idArgument,
  option,
  orEnvironment,
  PLACE,
  required,
  type Values,
} from '../command.ts'
import { listCommand } from '../list.ts'
import { printMany } from '../view.ts'
import { deliveryId, eventFilter, eventIdText, eventType, httpUrl } from './webhook-arguments.ts'
import { replay } from './webhook-replay.ts'
import { sign, verifySignature } from './webhook-signing.ts'
import {
  DELIVERIES,
  type Delivery,
  type EndpointData,
  ENDPOINTS,
  type EndpointsData,
  printAttempts,
  printEndpoint,
  printTest,
  type TestData,
} from './webhook-view.ts'

const PATH = '/webhook-endpoints'
const ENDPOINT = idArgument('<id>', 'the endpoint', 'endpoint')

const list = apiCommand('list', 'list endpoints and how they fare', {
  examples: ['gateway webhooks list'],
  call: () => get(PATH),
  print: ({ webhook_endpoints: endpoints }: EndpointsData) => printMany(endpoints, ENDPOINTS),
})

/** A command that is about an endpoint and says nothing else. */
const plain = (name: string, description: string, method: Call['method'], suffix = ''): Command =>
  apiCommand(name, description, {
    examples: [`gateway webhooks ${name} 0198…`],
    arguments: [ENDPOINT],
    ...(method === 'DELETE' && {
      confirm: (_: object, id: string) => `Delete endpoint ${id} and its secrets? Events go there no more.`,
    }),
    call: (_, id) => ({ method, path: `${PATH}/${id}${suffix}` }),
    print: printEndpoint,
  })

/** Here --url is the receiver, and --gateway the gateway. */
const SETTINGS = {
  gateway: orEnvironment(option('<url>', 'the gateway (default: that of dev.json)'), 'GATEWAY_URL'),
  apiKey: PLACE.apiKey,
  events: option('<types>', 'which events, such as paid,completed, or * for all', eventFilter),
  description: option('<text>'),
  bearerToken: option('<token>', 'what the receiver finds in Authorization (default: one is made)'),
  inFlightMax: option('<n>', 'how many deliveries at once, 1 to 16 (default: 4)', wholeNumber),
  metadata: option('<name=value>', 'a pair of your own; may be given again', metadataPair),
}
const URL_OF_RECEIVER = option('<url>', 'where the receiver is', httpUrl)

const change = ({ gateway, apiKey, ...settings }: Values<typeof SETTINGS>, what: Call, others: object) => {
  const { events, description, bearerToken, inFlightMax, metadata } = settings
  const body = { events, description, bearer_token: bearerToken, in_flight_max: inFlightMax, metadata, ...others }
  return call<EndpointData>(placeOf({ url: gateway, apiKey }), { ...what, body })
}

const create = command('create', 'have events delivered to an address; shows the secret, once', {
  examples: [
    'gateway webhooks create --url https://shop.example/webhooks',
    'gateway webhooks create --url http://127.0.0.1:8080/webhooks --events paid,completed',
  ],
  options: { ...SETTINGS, url: required(URL_OF_RECEIVER) },
  run: ({ url, ...settings }) => change(settings, post(PATH), { url }),
  print: printEndpoint,
})

const update = command('update', 'change an endpoint; only what is given changes', {
  examples: [
    'gateway webhooks update 0198… --url https://shop.example/new',
    'gateway webhooks update 0198… --status disabled',
  ],
  arguments: [ENDPOINT],
  options: {
    ...SETTINGS,
    url: URL_OF_RECEIVER,
    status: choice('<status>', 'switch it on or off', ['enabled', 'disabled']),
  },
  run: ({ url, status, ...settings }, id) => change(settings, patch(`${PATH}/${id}`), { url, status }),
  print: printEndpoint,
})

const rollSecret = apiCommand('roll-secret', 'make a new secret; the old one signs too until the overlap ends', {
  examples: ['gateway webhooks roll-secret 0198…', 'gateway webhooks roll-secret 0198… --overlap 0s'],
  arguments: [ENDPOINT],
  options: { overlap: option('<duration>', 'for how long both sign, up to 7d (default: 24h)', durationSeconds) },
  call: ({ overlap }, id) => post(`${PATH}/${id}/roll-secret`, { overlap_seconds: overlap }),
  print: printEndpoint,
})

const test = apiCommand('test', 'send a signed sample event now, once; exit code 1 when it is not taken', {
  examples: ['gateway webhooks test 0198… --type completed'],
  arguments: [ENDPOINT],
  options: { type: option('<type>', 'the type of the sample (default: contract.paid)', eventType) },
  call: ({ type }, id) => post(`${PATH}/${id}/test`, { type }),
  print: printTest,
  failed: ({ delivery_test: { delivered } }: TestData) => !delivered,
})

const DELIVERY_FILTER = {
  status: option('<status>', 'only those that are pending, delivered, dead or held'),
  event: option('<event>', 'only those of this event', eventIdText),
}

const deliveries = listCommand<Delivery, [typeof ENDPOINT], typeof DELIVERY_FILTER>(
  'deliveries',
  'list the deliveries of an endpoint, newest first',
  {
    examples: ['gateway webhooks deliveries 0198… --status dead'],
    arguments: [ENDPOINT],
    options: DELIVERY_FILTER,
    member: 'deliveries',
    columns: DELIVERIES,
    csv: ['id', 'event_id', 'type', 'status', 'tries', 'next_attempt_at', 'livemode', 'created_at', 'updated_at'],
    call: ({ status, event }, id) => get(`${PATH}/${id}/deliveries`, { status, event }),
  },
)

const attempts = apiCommand('attempts', 'show each try of a delivery: what was sent, what came back', {
  examples: ['gateway webhooks attempts 0198… dlv_17_0'],
  arguments: [ENDPOINT, argument('<delivery>', 'the delivery', deliveryId)],
  call: (_, id, delivery) => get(`${PATH}/${id}/deliveries/${delivery}/attempts`),
  print: printAttempts,
})

export const webhooks = groupOf('webhooks', 'make, watch and change the endpoints that events are delivered to', [
  list,
  create,
  plain('get', 'show an endpoint and how it fares', 'GET'),
  update,
  plain('pause', 'stop deliveries; what happens meanwhile waits', 'PUT', '/pause'),
  plain('resume', 'go on with deliveries, or enable what was disabled', 'PUT', '/resume'),
  plain('delete', 'delete an endpoint and its secrets', 'DELETE'),
  rollSecret,
  test,
  deliveries,
  attempts,
  replay,
  sign,
  verifySignature,
])
