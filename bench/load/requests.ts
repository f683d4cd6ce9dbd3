// The requests of the bench as HTTP text. `{id}`, `{key}` and `{count}` are filled in by the load generator.

/** A draft as a careful caller sends it: everything that its channel requires, and something to find it by. */
export const DRAFT = {
  amount: 1500,
  currency: 'PHP',
  channel: 'sandbox',
  description: 'October salary',
  deliverable: { type: 'salary', reference_id: 'payroll-2026-10-0042', description: 'Salary of October 2026' },
  recipient: {
    name: 'Maria Santos',
    email: 'maria.santos@example.com',
    mobile: '+639171234567',
    wallet: '000123456789',
    country: 'PH',
  },
}

const BODY = JSON.stringify(DRAFT)
const JSON_HEAD = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(BODY)}\r\n`

function text(line: string, key: string, rest: string): string {
  return `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Api-Key: ${key}\r\n${rest}`
}

export const createRequest = (key: string) => text('POST /contracts/transfer', key, `${JSON_HEAD}\r\n${BODY}`)

const PAIRS = Object.fromEntries(
  Array.from({ length: 10 }, (_, i) => [`payroll_field_${i}`, `department-${i}-of-manila`]),
)

/** A draft with ten pairs of metadata. */
export function metadataCreateRequest(key: string): string {
  const body = JSON.stringify({ ...DRAFT, metadata: PAIRS })
  const head = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  return text('POST /contracts/transfer', key, `${head}\r\n${body}`)
}

/** A creation with a body of so many bytes, its description longer or shorter for it. */
export function createRequestOf(key: string, bodyBytes: number): string {
  const bare = JSON.stringify({ ...DRAFT, description: '' }).length
  if (bodyBytes < bare) throw new Error(`a draft takes ${bare} bytes at least`)
  const body = JSON.stringify({ ...DRAFT, description: '.'.repeat(bodyBytes - bare) })
  const head = `Content-Type: application/json\r\nContent-Length: ${bodyBytes}\r\n`
  return text('POST /contracts/transfer', key, `${head}\r\n${body}`)
}

/** `run` keeps the keys of two runs apart. */
export const keyedCreateRequest = (key: string, run: string) =>
  text('POST /contracts/transfer', key, `Idempotency-Key: bench-${run}-{count}\r\n${JSON_HEAD}\r\n${BODY}`)

export const getRequest = (key: string) => text('GET /contracts/transfer/{id}', key, '\r\n')

/** `verb` is issue or pay; both without a body. */
export const putRequest = (verb: 'issue' | 'pay', key: string) =>
  text(`PUT /contracts/transfer/{id}/${verb}`, key, 'Content-Length: 0\r\n\r\n')

/** Each names its place in `{id}`: a contract, an event, a reference. */
export const listRequest = (key: string) => text('GET /contracts/transfer?limit=25&after={id}', key, '\r\n')
export const feedRequest = (key: string) => text('GET /events?limit=25&after={id}', key, '\r\n')
export const searchRequest = (key: string) => text('GET /search?q={id}', key, '\r\n')
