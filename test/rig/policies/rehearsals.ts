// A rehearsal tells what comes true, on a whole gateway: what one account paid is rehearsed under policies, and paid once more by
// another account that has them from the beginning. Both meet the very same: denied by the same policy, held back by the same, at
// the same fees. Many histories are played side by side, each on two accounts of its own.
import type { RehearsalReply } from '../../../src/wire/policies/rehearsal.ts'
import type { Wire } from '../../../src/wire/shapes.ts'
import type { Caller, ContractBody } from '../../world-caller.ts'
import type { Reply } from '../../world-client.ts'
import type { Person } from '../../http/members/people.ts'
import { diceOf } from '../dice.ts'
import type { RehearsalStage } from './rehearsal-stage.ts'
import { type Story, storyOf } from './stories.ts'

export type RehearsalFigures = {
  readonly seed: number
  readonly histories: number
  readonly pays: number
  readonly denied: number
  readonly held: number
  readonly taken: number
  readonly findings: readonly string[]
}

type Wanted = {
  readonly histories: number
  readonly seed: number
  readonly atOnce: number
  /** Is told of each finding at once, and now and then how many are done. */
  readonly tell?: (words: string) => void
}

const TOLD_EVERY = 500

type Rehearsal = Wire<typeof RehearsalReply>['data']['rehearsal']

/** What a payment met: the policy that denied it, those that held it back; and what it cost, in cents, where it was paid. */
type Met = { readonly denied: string | null; readonly heldBy: readonly string[] }
const NOTHING: Met = { denied: null, heldBy: [] }
type Fees = Readonly<Record<string, number>>
type Told = { readonly met: readonly Met[]; readonly fees: Fees }

export async function runRehearsals(
  stage: RehearsalStage,
  { histories, seed, atOnce, tell }: Wanted,
): Promise<RehearsalFigures> {
  const figures = { seed, histories, pays: 0, denied: 0, held: 0, taken: 0, findings: [] as string[] }
  let [next, done] = [0, 0]
  const play = async () => {
    for (let number = next++; number < histories; number = next++) {
      const story = storyOf(diceOf(seed).part(String(number)))
      const [would, did] = await Promise.all([rehearsed(stage, story), cameTrue(stage, story)])
      figures.pays += story.steps.filter(({ kind }) => kind === 'pay').length
      figures.taken += story.steps.filter(({ kind }) => kind === 'take back').length
      figures.denied += did.met.filter(({ denied }) => denied !== null).length
      figures.held += did.met.filter(({ heldBy }) => heldBy.length > 0).length
      if (!isSame(would, did)) {
        const finding = JSON.stringify({ seed, number, would, did, ...documentsOf(story) })
        figures.findings.push(finding)
        tell?.(finding)
      }
      if (++done % TOLD_EVERY === 0) tell?.(`${done} of ${histories}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, play))
  // Otherwise the histories would prove nothing.
  if (figures.denied <= figures.pays / 20 || figures.held <= figures.pays / 40)
    figures.findings.push(`${figures.denied} were denied and ${figures.held} held back of ${figures.pays}: too few`)
  return figures
}

export const rehearsalReport = ({ seed, histories, pays, denied, held, taken, findings }: RehearsalFigures): string =>
  `${histories} histories of ${pays} payments (${denied} denied, ${held} held back) and ${taken} taken back, seed ${seed}: ${
    findings.length === 0 ? 'all came true as they were rehearsed' : findings.slice(0, 5).join('\n')
  }`

const documentsOf = ({ policies }: Story) => ({ policies: policies.map(({ of }) => of(['first key', 'second key'])) })

function isSame(would: Told, did: Told): boolean {
  // A currency in which nothing was paid costs nothing.
  const currencies = [...new Set([...Object.keys(would.fees), ...Object.keys(did.fees)])]
  const isPriced = currencies.every((code) => (would.fees[code] ?? 0) === (did.fees[code] ?? 0))
  return isPriced && JSON.stringify(would.met) === JSON.stringify(did.met)
}

const contractIn = ({ data }: Reply) => data['contract'] as ContractBody
const url = (id: string, verb: string) => `/contracts/transfer/${id}/${verb}`
const cents = (major: number) => Math.round(major * 100)

async function done(reply: Promise<Reply>): Promise<Reply> {
  const found = await reply
  if (found.status !== 200) throw new Error(found.text)
  return found
}

async function issued(by: Caller, terms: object): Promise<string> {
  const drafted = contractIn(await done(by.ask('POST', '/contracts/transfer', { body: terms })))
  await done(by.ask('PUT', url(drafted.id, 'issue')))
  return drafted.id
}

async function takenBack(by: Caller, id: string | undefined): Promise<void> {
  if (id) await done(by.ask('DELETE', `/contracts/transfer/${id}`, { body: {} }))
}

/** Everything as it is wanted, by an account without policies; then what its policies would have made of it. */
async function rehearsed(stage: RehearsalStage, { steps, policies }: Story): Promise<Told> {
  const keys = await stage.newAccount()
  const [caller] = keys
  const paid: string[] = []
  for (const step of steps) {
    if (step.kind === 'take back') {
      await takenBack(caller, paid[step.step])
      paid.push('')
      continue
    }
    const id = await issued(keys[step.by], step.terms)
    await done(keys[step.by].ask('PUT', url(id, 'pay')))
    paid.push(id)
  }
  const documents = policies.map(({ of }) => of(keys.map(({ keyId }) => keyId)))
  // The last of them is tried before it is saved.
  for (const body of documents.slice(0, -1)) await done(caller.ask('POST', '/policies', { body }))
  const { data } = await done(caller.ask('POST', '/policies/rehearse', { body: { policy: documents.at(-1), days: 1 } }))
  const { contracts, currencies } = data['rehearsal'] as Rehearsal
  const met = paid.map((id): Met => {
    const reasons = contracts.find(({ contract }) => contract === id)?.reasons ?? []
    return {
      denied: reasons.find(({ effect }) => effect === 'denied')?.name ?? null,
      heldBy: reasons.flatMap(({ effect, name }) => (effect === 'approvals' ? [name] : [])).toSorted(),
    }
  })
  return { met, fees: Object.fromEntries(currencies.map(({ currency, fees }) => [currency, cents(fees.would_be)])) }
}

/** The same by an account that has the policies from the beginning, and members who approve at once. */
async function cameTrue(stage: RehearsalStage, { steps, policies }: Story): Promise<Told> {
  const keys = await stage.newAccount()
  const [caller] = keys
  const documents = policies.map(({ of }) => of(keys.map(({ keyId }) => keyId)))
  for (const body of documents) await done(caller.ask('POST', '/policies', { body }))
  const members: Person[] = []
  for (let count = approversOf(policies); count > 0; count--) members.push(await stage.approverOf(caller))
  const paid: string[] = []
  const met: Met[] = []
  const fees: Record<string, number> = {}
  for (const step of steps) {
    if (step.kind === 'take back') {
      await takenBack(caller, paid[step.step])
      paid.push('')
      met.push(NOTHING)
      continue
    }
    const id = await issued(keys[step.by], step.terms)
    const { contract, ...found } = await paidOrMet(keys[step.by], id, members)
    met.push(found)
    paid.push(contract ? id : '')
    if (!contract) continue
    const { currency, preview } = contract
    fees[currency] = (fees[currency] ?? 0) + cents(preview.fees?.total ?? 0)
  }
  return { met, fees }
}

/** So many members approve; none where no policy asks for one. */
const approversOf = (policies: Story['policies']) => Math.max(0, ...policies.map(({ approvers }) => approvers))

/** With the contract as it is paid, or null. */
type Paid = Met & { readonly contract: ContractBody | null }

async function paidOrMet(by: Caller, id: string, members: readonly Person[]): Promise<Paid> {
  const first = await by.ask('PUT', url(id, 'pay'))
  if (first.status === 200) return { ...NOTHING, contract: contractIn(first) }
  if (first.error.code === 'policy_denied') {
    const [, denied = ''] = /policy “(.*)”/.exec(first.error.message) ?? []
    return { denied, heldBy: [], contract: null }
  }
  if (first.error.code !== 'approval_required') throw new Error(first.text)
  const { approval } = await by.get(id)
  for (const member of members)
    await done(member.ask('PUT', url(id, 'approve'), { body: { terms_hash: approval?.terms_hash } }))
  const contract = contractIn(await done(by.ask('PUT', url(id, 'pay'))))
  const heldBy = (approval?.required ?? []).map(({ policy }) => policy?.name ?? '').toSorted()
  return { denied: null, heldBy, contract }
}
