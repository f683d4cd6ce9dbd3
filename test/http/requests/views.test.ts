// Who sees what of a contract: its account's key all of it; a bearer token and a payer's token how far the money is, and
// neither what it costs the account, how it came about, nor what opens something.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openWorld, type Reply } from '../../world.ts'

const world = await openWorld()
const { caller } = world
afterAll(() => world.stop())

type Members = Record<string, unknown>
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const contractOf = ({ data }: Reply) => data['contract'] as Members

async function tokenOf(by: Caller, fields: Members = {}): Promise<string> {
  const { body } = await by.ask('POST', '/oauth/token', { body: { grant_type: 'client_credentials', ...fields } })
  return body['access_token'] as string
}

const METADATA = { margin: 'of the account' }

/** What stands in a contract at any depth, but for the members that are null or empty. */
function told(value: unknown, at = ''): string[] {
  if (value === null || value === '') return []
  if (Array.isArray(value)) return value.flatMap((each) => told(each, `${at}[]`))
  if (typeof value !== 'object') return [at]
  return Object.entries(value).flatMap(([name, member]) => told(member, at === '' ? name : `${at}.${name}`))
}

const SHARED = new RegExp(
  `^(?:${[
    'id',
    'kind',
    'livemode',
    'amount',
    'currency',
    'status',
    'issued_by',
    'issued_to',
    'issued_at',
    'paid_by',
    'paid_at',
    'expires_at',
    'completed_at',
    'description',
    String.raw`deliverable\.\w+`,
    String.raw`recipient\.\w+`,
    String.raw`channel\.(?:id|service|name|description|policy\.uri)`,
    String.raw`payment\.(?:paid_at|details\.(?:parent|id|type|actor|summary|published_at|resource\.(?:id|type)))`,
    String.raw`activities\[\]\.(?:parent|id|type|actor|summary|published_at|resource\.(?:id|type))`,
    'activities_total',
    String.raw`preview\.(?:amount|valid|messages\[\]\.\w+|arrives_at)`,
    String.raw`cancellation\.(?:status|requested_at)`,
    'created_at',
    'updated_at',
    'version',
  ].join('|')})$`,
)
const TRANSFER = /^(?:transfer\.(?:status|attempts|completed_at)|refund\.\w+)$/
const PAYMENT =
  /^(?:attempts\[\]\.(?:number|type|channel|status|amount|failure\.\w+|created_at)|amount_\w+|refunds\[\]\.(?:from|amount|currency|status|created_at)|return_url)$/
const PAYER = /^(?:next_action\.\w+|attempts\[\]\.details\.\w+)$/

const beyond = (contract: Members, ...allowed: RegExp[]) => [
  ...new Set(told(contract).filter((path) => !allowed.some((each) => each.test(path)))),
]
const kindsOf = (contract: Members) => (contract['activities'] as { type: string }[]).map(({ type }) => type)

describe('a transfer', () => {
  test('read with a bearer token tells how far it is, by id and in lists; the key sees all of it', async () => {
    const { id } = await caller.draft({ metadata: METADATA })
    await caller.ask('PUT', `/contracts/transfer/${id}/issue`)
    await caller.ask('PUT', `/contracts/transfer/${id}/pay`)
    expect(await world.settle(id)).toBe('completed')
    const whole = contractOf(await caller.ask('GET', `/contracts/transfer/${id}`))
    expect(beyond(whole, SHARED, TRANSFER)).toEqual(
      expect.arrayContaining([
        'channel.fees.covered',
        'channel.fees.breakdown.pct',
        'preview.fees.total',
        'preview.receive_amount',
        'transfer.reference',
        'activities[].proxy',
        'metadata.margin',
      ]),
    )
    expect(kindsOf(whole)).toContain('transfer_submitted')
    for (const fields of [{}, { contract_id: id }]) {
      const headers = bearer(await tokenOf(caller, fields))
      const seen = contractOf(await world.ask('GET', `/contracts/transfer/${id}`, { headers }))
      expect(beyond(seen, SHARED, TRANSFER)).toEqual([])
      expect(Object.keys(seen)).toEqual(Object.keys(whole))
      expect(seen).toMatchObject({ id, status: 'completed', amount: whole['amount'], recipient: whole['recipient'] })
      expect(kindsOf(seen)).toEqual(['created', 'issued', 'paid', 'completed'])
    }
    const headers = bearer(await tokenOf(caller))
    const { data } = await world.ask('GET', '/contracts/transfer', { headers })
    const listed = data['contracts'] as Members[]
    expect(listed.length).toBeGreaterThan(0)
    expect(listed.flatMap((each) => beyond(each, SHARED, TRANSFER))).toEqual([])
  })

  test('is explained, and its whole history told, to the key alone', async () => {
    const { id } = await caller.draft()
    const headers = bearer(await tokenOf(caller))
    for (const path of [
      `/contracts/transfer/${id}/explain`,
      `/contracts/transfer/${id}/activities`,
      `/contracts/payment/${id}/activities`,
    ])
      expect((await world.ask('GET', path, { headers })).error.code).toBe('api_key_required')
    expect((await caller.ask('GET', `/contracts/transfer/${id}/explain`)).status).toBe(200)
  })
})

describe('a payment', () => {
  let id: string
  let payer: Record<string, string>

  beforeAll(async () => {
    const body = { amount: 250, currency: 'PHP', description: 'A lamp', metadata: METADATA }
    const made = contractOf(await caller.ask('POST', '/contracts/payment', { body }))
    id = made['id'] as string
    payer = bearer(String(made['checkout_url']).split('/').at(-1) ?? '')
  })

  test('tells its payer what to do next, and neither fees, history nor links that open it', async () => {
    const pay = { headers: payer, body: { type: 'gcash', gcash: { mobile: '09171234567' } } }
    const begun = contractOf(await world.ask('PUT', `/contracts/payment/${id}/pay`, pay))
    const again = contractOf(await world.ask('GET', `/contracts/payment/${id}`, { headers: payer }))
    for (const seen of [begun, again]) {
      expect(beyond(seen, SHARED, PAYMENT, PAYER)).toEqual([])
      expect(seen).toMatchObject({ next_action: { type: 'redirect' }, checkout_url: null, metadata: {} })
      expect(kindsOf(seen)).toEqual(['created', 'issued'])
    }
    const whole = contractOf(await caller.ask('GET', `/contracts/payment/${id}`))
    expect(Object.keys(again)).toEqual(Object.keys(whole))
    expect(whole).toMatchObject({ checkout_url: expect.stringContaining('/pay/'), metadata: METADATA })
    expect(beyond(whole, SHARED, PAYMENT, PAYER)).toEqual(
      expect.arrayContaining(['preview.fees.total', 'attempts[].fee', 'attempts[].reference', 'checkout_url']),
    )
  })

  test('read with a bearer token opens nothing: it has no link to pay by', async () => {
    const headers = bearer(await tokenOf(caller))
    const seen = contractOf(await world.ask('GET', `/contracts/payment/${id}`, { headers }))
    expect(beyond(seen, SHARED, PAYMENT)).toEqual([])
    const { data } = await world.ask('GET', '/contracts/payment', { headers })
    expect((data['contracts'] as Members[]).flatMap((each) => beyond(each, SHARED, PAYMENT))).toEqual([])
  })
})
