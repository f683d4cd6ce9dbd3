// A curl command for an operation, made from its path and schema: short enough to paste, complete enough to work.
import { flat } from './fields.ts'
import type { ApiDocument, Operation, Schema } from './model.ts'

/** Values for fields whose schema carries no example of its own, by dotted path. Optional fields not here are left out. */
const VALUES: Readonly<Record<string, unknown>> = {
  amount: 1500,
  currency: 'PHP',
  channel: 'sandbox',
  description: 'October salary',
  'deliverable.type': 'salary',
  'deliverable.reference_id': 'payroll-2026-10-0042',
  'recipient.name': 'Maria Santos',
  'recipient.email': 'maria.santos@example.com',
  'recipient.mobile': '+639171234567',
  'recipient.wallet': '000123456789',
  'recipient.country': 'PH',
  reason: 'Ordered twice.',
  grant_type: 'client_credentials',
}

/** Whole bodies, where the same names mean something else than elsewhere. */
const BODIES: Readonly<Record<string, unknown>> = {
  'POST /contracts/payment': {
    amount: 500,
    currency: 'PHP',
    description: 'Coffee, two bags',
    deliverable: { type: 'order', reference_id: 'order-17' },
    return_url: 'https://shop.example.com/thanks',
  },
  'PUT /contracts/payment/{id}/pay': { type: 'gcash', gcash: { mobile: '09171234567' } },
  'POST /contracts/payment/{id}/refunds': { amount: 100, reason: 'One bag was torn.' },
  'POST /contracts/payment/{id}/returns': {
    channel: 'instapay',
    recipient: { name: 'Maria Santos', wallet: '000123456789', tag: 'BOPIPHMM' },
  },
  'POST /webhooks': {
    id: 'evt_81',
    type: 'payment_intent.succeeded',
    created_at: 1_795_000_000,
    data: { object: { id: 'pi_7', reference: 'order-17', amount: 500, currency: 'PHP', status: 'succeeded' } },
  },
}

/** Headers that no scheme of credentials stands for. */
const HEADERS: Readonly<Record<string, string>> = {
  'POST /webhooks': 'Service-Signature: t=$SECONDS,v1=$HMAC',
}

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '01932c07-4b5e-7c31-9d0a-6f2b8e4a1c55',
  email: 'maria.santos@example.com',
  'date-time': '2026-11-01T08:30:00Z',
  date: '2026-11-01',
  uri: 'https://shop.example.com/done',
}

const DEPTH_MAX = 8
// What fits beside the text without scrolling.
const LINE_MAX = 56

/** The command, a header or field a line; `$API_KEY` and ids are left to the shell. */
export function curlOf(document: ApiDocument, operation: Operation): string {
  const { method, body } = operation
  const whole = BODIES[`${method} ${operation.path}`]
  const own = HEADERS[`${method} ${operation.path}`]
  const example = whole ?? (body && shortened(flat(document, body), exampleOf(document, body, '') ?? {}))
  const hasBody = typeof example === 'object' && example !== null && Object.keys(example).length > 0
  const headers = (operation.access[0] ?? []).map(({ header }) => header).filter((header) => header !== '')
  const verb = method === 'GET' ? 'curl' : `curl -X ${method}`
  const address = `"${addressOf(document, operation)}"`
  return [
    ...(verb.length + address.length < LINE_MAX ? [`${verb} ${address}`] : [verb, address]),
    ...[...headers, ...(own === undefined ? [] : [own])].map((header) => `-H "${header}"`),
    ...(hasBody ? ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(example, null, 2))}`] : []),
  ].join(' \\\n  ')
}

/** Where nothing is required, one field shows the shape. */
function shortened(schema: Schema, example: unknown): unknown {
  if (schema.required?.length) return example
  return Object.fromEntries(Object.entries(example as object).slice(0, 1))
}

/** Where the API lives, for the shell: the document's server where it names one, else `$BASE_URL`. */
export function baseOf(document: ApiDocument): string {
  const url = document.servers?.[0]?.url ?? '/'
  return url.startsWith('/') ? '$BASE_URL' : url.replace(/\/$/, '')
}

function addressOf(document: ApiDocument, { path, parameters }: Operation): string {
  const noun = (path.split('/')[1] ?? '').replace(/s$/, '')
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${variable(name === 'id' ? `${noun}_id` : name)}`)
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && (parameter.required || parameter.name === 'limit'))
    .map(({ name, schema }) => `${name}=${name === 'limit' ? '10' : textOf(exampleOf(document, schema ?? {}, name))}`)
  return `${baseOf(document)}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const variable = (name: string) => name.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase()

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** A value that the schema would accept, or undefined where none is known and none can be guessed. */
function exampleOf(document: ApiDocument, schema: Schema, path: string): unknown {
  const own = flat(document, schema)
  const known = knownOf(own, path)
  if (known !== undefined) return known
  // A schema may contain itself.
  if (path.split('.').length > DEPTH_MAX) return undefined
  const choice = (own.anyOf ?? own.oneOf)?.find((each) => flat(document, each).type !== 'null')
  if (choice) return exampleOf(document, choice, path)
  const constant = 'const' in own ? own.const : own.enum?.[0]
  if (constant !== undefined) return constant
  if (own.properties) return objectOf(document, own, path)
  const item = own.items && exampleOf(document, own.items, `${path}.0`)
  return own.items ? [item ?? '…'] : plainOf(own)
}

const knownOf = (schema: Schema, path: string) => schema.examples?.[0] ?? schema.example ?? VALUES[path]

function objectOf(document: ApiDocument, { properties = {}, required = [] }: Schema, path: string): unknown {
  const entries = Object.entries(properties).flatMap(([name, member]) => {
    const at = path === '' ? name : `${path}.${name}`
    const value = required.includes(name) || isKnown(document, member, at) ? exampleOf(document, member, at) : undefined
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries)
}

/** Whether the field, or any field inside it, has an example. */
function isKnown(document: ApiDocument, schema: Schema, path: string): boolean {
  const inside = Object.keys(VALUES).some((known) => known.startsWith(`${path}.`))
  return inside || knownOf(flat(document, schema), path) !== undefined
}

function plainOf({ type, format, minimum }: Schema): unknown {
  const first = [type].flat()[0]
  if (first === 'string') return BY_FORMAT[format ?? ''] ?? '…'
  if (first === 'number' || first === 'integer') return minimum ?? 1
  return first === 'boolean' ? true : {}
}
