// The curl samples of the reference are pasted into a shell at a fresh gateway, each at something of its own, and are answered
// with a success. What is left out says why.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Place, placesOf, readDocument } from '../../docs/.vitepress/reference/document.ts'
import { curlSample, variableOf } from '../../docs/.vitepress/reference/samples.ts'
import { WRITTEN } from '../../docs/.vitepress/reference/written.ts'
import { RENT } from '../http/schedules/schedule-stage.ts'
import { openWorld, type World } from '../world.ts'

const document = readDocument()
const LEFT_OUT: Readonly<Record<string, string>> = {
  'transfers-receipt': 'a transfer that is sealed is needed',
  'payments-receipt': 'a payment that is sealed is needed',
  'transfers-retry': 'a transfer that failed is needed',
  'payments-refund': 'a payment that was paid is needed',
  'payments-return': 'money in suspense is needed',
  'payments-save_payer': 'a payer who is known is needed',
  'approvals-get': 'a transfer that waits for approval is needed',
  'members-reset': 'a member who came in is needed',
  'profiles-restore': 'an archived profile is needed',
  'verifications-answer': 'a code that was sent is needed',
  'verifiers-roll_secret': 'a verifier that is called is needed',
  'verifiers-try': 'a verifier that is called is needed',
  'verifications-retry': 'a verification without an answer is needed',
  'verifier_entries-remove': 'an entry of a list is needed',
  'commands-file': 'an export that is whole is needed',
  'commands-pause': 'a command that is running is needed',
  'commands-resume': 'a paused command is needed',
  'webhook_endpoints-resume': 'a paused endpoint is needed',
  'webhook_endpoints-test': 'an endpoint that answers is needed',
  'webhook_endpoints-replay': 'the body names an event of the example',
  'webhook_endpoints-attempts': 'a delivery is needed',
  'payment_events-create': 'a provider signs it',
  'events-changes': 'it has no end',
  'events-stream': 'it has no end',
  'requests-stream': 'it has no end',
}

const isPlayed = ({ slug, operation }: Place) =>
  !(slug in LEFT_OUT) && (operation.security ?? []).some((each) => 'apiKey' in each)
const played = placesOf(document).filter(isPlayed)

let world: World
let address: string
beforeAll(async () => {
  world = await openWorld({ workers: 'resting' })
  address = await world.listen()
})
afterAll(() => world.stop())

const made = async (path: string, member: string, body: object) => {
  const { data, text } = await world.caller.ask('POST', path, { body })
  const one = data[member] as { readonly id: string } | undefined
  if (!one) throw new Error(`${path}: ${text}`)
  return one.id
}
const profile = () => made('/profiles', 'profile', { name: 'Ana Cruz', mobile: '+639171234567' })
const wallet = () => made('/wallets', 'wallet', { currency: 'PHP', label: 'Rent' })
const schedule = () => made('/schedules', 'schedule', RENT)

/** What stands for each variable of a sample: something new, for a sample may end it. */
const VALUES: Readonly<Record<string, (slug: string) => Promise<string>>> = {
  TRANSFER_ID: async (slug) =>
    (slug === 'transfers-pay' ? world.caller.issued() : world.caller.draft()).then(({ id }) => id),
  PAYMENT_ID: () => made('/contracts/payment', 'contract', { amount: 500, currency: 'PHP' }),
  PROFILE_ID: profile,
  WALLET_ID: wallet,
  POLICY_ID: () =>
    made('/policies', 'policy', { name: 'Never', status: 'paused', then: { kind: 'deny', words: 'No.' } }),
  VERIFIER_ID: () => made('/verifiers', 'verifier', { kind: 'list', name: 'Not to be paid' }),
  VERIFICATION_ID: () => made('/verifications', 'verification', { kind: 'list', recipient: { name: 'Ana Cruz' } }),
  COMMAND_ID: async (slug) => {
    const id = await made('/commands', 'command', { type: 'transfers.create' })
    const rows = [{ amount: 5, currency: 'PHP' }]
    if (slug === 'commands-start') await world.caller.ask('POST', `/commands/${id}/rows`, { body: { rows } })
    return id
  },
  SCHEDULE_ID: schedule,
  WEBHOOK_ENDPOINT_ID: () => made('/webhook-endpoints', 'webhook_endpoint', { url: 'http://127.0.0.1:9/hooks' }),
  KEY_ID: () => made('/keys', 'key', { name: 'Reports', scopes: ['contracts:read'] }),
  MEMBER_ID: () => made('/members', 'member', { email: `${crypto.randomUUID()}@people.example`, role: 'viewer' }),
  CHANNEL_ID: async () => 'sandbox',
  RESOURCE_ID: async () => 'roles',
  EVENT_ID: async () => {
    await world.caller.draft()
    const { data } = await world.caller.ask('GET', '/events?limit=1')
    return (data['events'] as readonly { readonly id: string }[])[0]?.id ?? ''
  },
}

/** Both ids of a destination belong together. */
async function variablesOf({ path, slug }: Place): Promise<Record<string, string>> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => variableOf(path, name))
  const values: Record<string, string> = {}
  for (const name of names) {
    const value = VALUES[name]
    if (value) values[name] = await value(slug)
    else if (name === 'DESTINATION')
      values[name] = await made(`/profiles/${values['PROFILE_ID']}/destinations`, 'destination', {
        channel: 'sandbox',
        recipient: { wallet: '000123456789' },
      })
    else throw new Error(`${slug} needs ${name}: say what stands for it in VALUES, or why it is left out in LEFT_OUT`)
  }
  return values
}

test.each(played.map((place) => [place.slug, place] as const))('%s', { timeout: 60_000 }, async (_, place) => {
  const sample = curlSample(document, place).replace(WRITTEN, address)
  const env = { PATH: process.env['PATH'], API_KEY: world.caller.apiKey, ...(await variablesOf(place)) }
  const { stdout } = await promisify(execFile)('bash', ['-c', `${sample} -w '\\n%{http_code}'`], { env })
  expect(stdout.split('\n').at(-1), `${sample}\n${stdout}`).toBe('200')
})

test('what is left out is there', () => {
  const slugs = placesOf(document).map(({ slug }) => slug)
  expect(Object.keys(LEFT_OUT).filter((slug) => !slugs.includes(slug))).toEqual([])
})
