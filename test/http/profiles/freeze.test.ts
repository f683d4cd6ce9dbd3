// A contract never changes by what happens to its profile: random stories of profiles that change, are archived and restored,
// and of contracts that are drafted by them, issued and paid. After each step every contract is as it was, and the versions that
// it names say what it keeps.
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { type ContractBody, openWorld, type Reply } from '../../world.ts'
import { type DestinationBody, type ProfileBody, profilesOf } from './profile-stage.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
afterAll(() => world.stop())
const mine = profilesOf(caller)

const STEPS = [
  'rename',
  'renumber',
  'archive',
  'restore',
  'add',
  'repay',
  'drop',
  'draft',
  'redraft',
  'issue',
  'pay',
] as const
type Step = { readonly what: (typeof STEPS)[number]; readonly n: number }

const step = fc.record<Step>({ what: fc.constantFrom(...STEPS), n: fc.nat({ max: 999 }) })

/** Something is drafted at first, and issued and paid at last, unless it is by then. */
const steps = fc
  .array(step, { minLength: 12, maxLength: 24 })
  .map((between): Step[] => [{ what: 'draft', n: 0 }, ...between, { what: 'issue', n: 0 }, { what: 'pay', n: 0 }])

const RUNS = 15

test('whatever happens to a profile, its contracts stay as they are', async () => {
  const counts: Record<string, number> = {}
  await fc.assert(
    fc.asyncProperty(steps, async (story) => {
      const { id } = await mine.make({ name: 'Ana Reyes', mobile: '09171234567' })
      await mine.pay(id, bank(0))
      const contracts = new Map<string, ContractBody>()
      for (const step of story) {
        const reply = await taken(step, id, [...contracts.values()])
        expect(reply === null || reply.status < 500, reply?.text).toBe(true)
        const contract = reply?.status === 200 ? (reply.data['contract'] as ContractBody | undefined) : undefined
        if (contract) contracts.set(contract.id, contract)
        counts[step.what] = (counts[step.what] ?? 0) + (reply?.status === 200 ? 1 : 0)
        for (const known of contracts.values()) expect(await caller.get(known.id)).toEqual(known)
      }
      for (const contract of contracts.values()) expect(contract.recipient).toEqual(await recipientNamedBy(contract))
    }),
    { numRuns: RUNS },
  )
  // None of it is always refused.
  expect(Object.keys(counts).filter((what) => counts[what] === 0)).toEqual([])
})

const bank = (n: number) => ({ channel: 'sandbox', recipient: { wallet: String(1_000_000_000 + n) } })

/** One step of a story; null where there is nothing to do it to. */
async function taken({ what, n }: Step, id: string, contracts: readonly ContractBody[]): Promise<Reply | null> {
  const path = `/profiles/${id}`
  const { destinations } = await mine.get(id)
  const used = destinations.filter(({ status }) => status === 'active')
  const destination = used[n % Math.max(1, used.length)]
  const fit = contracts.filter(({ status }) => status === (what === 'pay' ? 'issued' : 'draft'))
  const contract = fit[n % Math.max(1, fit.length)]
  const one = `${path}/destinations/${destination?.id}`
  const recipient = { profile: id, ...(destination && n % 2 === 0 ? { destination: destination.id } : {}) }
  switch (what) {
    case 'rename':
      return caller.ask('PATCH', path, { body: { name: `Ana ${n}` } })
    case 'renumber':
      return caller.ask('PATCH', path, { body: { mobile: `0917${String(1_000_000 + n)}` } })
    case 'archive':
      return n % 3 === 0 ? caller.ask('DELETE', path) : null
    case 'restore':
      return caller.ask('PUT', `${path}/restore`)
    case 'add':
      return caller.ask('POST', `${path}/destinations`, { body: { ...bank(n), default: n % 3 === 0 } })
    case 'repay':
      return destination ? caller.ask('PATCH', one, { body: bank(n) }) : null
    case 'drop':
      return destination && n % 2 === 0 ? caller.ask('DELETE', one) : null
    case 'draft':
      return caller.ask('POST', '/contracts/transfer', { body: { amount: 50, currency: 'PHP', recipient } })
    case 'redraft':
      return contract ? caller.ask('PATCH', `/contracts/transfer/${contract.id}`, { body: { recipient } }) : null
    case 'issue':
    case 'pay':
      return contract ? caller.ask('PUT', `/contracts/transfer/${contract.id}/${what}`) : null
  }
}

/** The recipient as the versions that a contract names have it. */
async function recipientNamedBy({ recipient_profile: used }: ContractBody): Promise<ContractBody['recipient']> {
  const profile: ProfileBody = await mine.get(used?.profile ?? '', `?version=${used?.profile_version}`)
  const destination = profile.destinations.find(({ id }) => id === used?.destination)
  expect(destination?.version ?? null).toBe(used?.destination_version)
  const { name, email, mobile, address, country } = profile
  const own: Partial<DestinationBody['recipient']> = Object.fromEntries(
    Object.entries(destination?.recipient ?? {}).filter(([, value]) => value !== null),
  )
  return { name, email, mobile, wallet: null, tag: null, address, country, ...own }
}
