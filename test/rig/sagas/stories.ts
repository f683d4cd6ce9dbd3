// The load of the crash runs: callers who make contracts, mend, issue, pay and cancel them, and ask again with the same
// key until they are answered. What they mean to do is logged before it is sent, the answer after it came.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller, Method, Reply } from '../caller.ts'
import type { Dice } from '../dice.ts'

export type Deed = 'create' | 'update' | 'issue' | 'pay' | 'cancel'

/** One line of the log: a request with its key, and the one answer that counted. */
export type Entry = {
  readonly deed: Deed
  readonly key: string
  tries: number
  reply: Reply | null
}

export type Story = {
  readonly number: number
  readonly plan: Plan
  readonly log: Entry[]
  contractId: string | null
}

type Plan = {
  readonly amount: number
  readonly channel: 'sandbox' | 'wallet'
  readonly wallet: string
  readonly updates: boolean
  /** Expires within days where a number stands: only clocks that jump come there. */
  readonly expiresInSeconds: number | null
  readonly last: 'create' | 'issue' | 'pay'
  /** When somebody cancels, in milliseconds after the draft was made, or null. */
  readonly cancelAfterMs: number | null
  /** Gives up at the first request that is not answered. */
  readonly abandons: boolean
}

export type Load = {
  readonly stories: readonly Story[]
  /** What cannot be true, as it was noticed. */
  readonly findings: string[]
  /** Answers by status, so that a run shows what its callers met. */
  readonly statuses: Map<number, number>
  /** Begins no new story; resolves when all are told. */
  readonly finish: () => Promise<void>
}

/** Endings of amounts: the sandbox provider's scenarios (docs/sandbox.md), as often as they are listed. */
const ENDINGS = [
  '.00',
  '.00',
  '.00',
  '.00',
  '.00',
  '.11',
  '.11',
  '.21',
  '.22',
  '.31',
  '.32',
  '.41',
  '.41',
  '.42',
  '.42',
  '.43',
  '.51',
  '.52',
]
const PAUSE_MS = { retry: 60, think: 120 } as const

/**
 * Callers at work. `otherWallet` is the wallet of another account, for transfers inside the gateway; `told` counts the stories of
 * loads before this one.
 */
export function startLoad(caller: Caller, dice: Dice, callers: number, otherWallet: string, told = 0): Load {
  const stories: Story[] = []
  const findings: string[] = []
  const statuses = new Map<number, number>()
  let finishing = false
  const begin = (): Story => {
    const number = told + stories.length + 1
    const story: Story = { number, plan: planOf(dice.part(`story ${number}`), otherWallet), log: [], contractId: null }
    stories.push(story)
    return story
  }
  const teller = async (name: number): Promise<void> => {
    const own = dice.part(`caller ${name}`)
    while (!finishing) {
      await tell({ caller, dice: own, findings, statuses, story: begin() })
      await sleep(own.whole(0, PAUSE_MS.think))
    }
  }
  const all = Promise.all(Array.from({ length: callers }, (_, name) => teller(name)))
  return {
    stories,
    findings,
    statuses,
    finish: async () => {
      finishing = true
      await all
    },
  }
}

function planOf(dice: Dice, otherWallet: string): Plan {
  const ending = dice.pick(ENDINGS)
  const isInside = ending === '.00' && dice.chance(0.25)
  const isStuck = ending === '.52'
  const expiryDice = dice.part('expiry')
  return {
    amount: Number(`${dice.whole(10, 200)}${ending}`),
    channel: isInside ? 'wallet' : 'sandbox',
    wallet: isInside ? otherWallet : `account ${dice.whole(1, 9)}`,
    updates: dice.chance(0.3),
    expiresInSeconds: expiryDice.chance(0.2) ? expiryDice.whole(1, 48) * 3600 : null,
    last: isStuck ? 'pay' : dice.pick(['pay', 'pay', 'pay', 'pay', 'pay', 'pay', 'pay', 'pay', 'issue', 'create']),
    // What is stuck at the provider ends only when it is recalled.
    cancelAfterMs: isStuck ? dice.whole(1500, 2500) : dice.chance(0.2) ? dice.whole(0, 2500) : null,
    abandons: !isStuck && dice.chance(0.15),
  }
}

type Telling = {
  readonly caller: Caller
  readonly dice: Dice
  readonly findings: string[]
  readonly statuses: Map<number, number>
  readonly story: Story
}

async function tell(telling: Telling): Promise<void> {
  const { story, findings } = telling
  const { plan } = story
  const created = await act(telling, 'create', 'POST', '', bodyOf(story))
  if (!created?.contract) return
  story.contractId = created.contract.id
  const cancelling = plan.cancelAfterMs === null ? null : cancelLater(telling, plan.cancelAfterMs)
  if (plan.updates)
    await act(telling, 'update', 'PATCH', `/${story.contractId}`, { description: `mended ${story.number}` })
  if (plan.last !== 'create') await act(telling, 'issue', 'PUT', `/${story.contractId}/issue`)
  if (plan.last === 'pay') await act(telling, 'pay', 'PUT', `/${story.contractId}/pay`)
  await cancelling
  for (const { deed, reply } of story.log)
    if (reply && !isExpected(story, deed, reply))
      findings.push(`story ${story.number}: ${deed} was answered ${reply.status} ${reply.code}`)
}

function bodyOf({ number, plan }: Story) {
  return {
    amount: plan.amount,
    currency: 'PHP',
    channel: plan.channel,
    description: `story ${number}`,
    ...(plan.expiresInSeconds === null ? {} : { expires_in: plan.expiresInSeconds }),
    // A wallet of this gateway is asked whose it is, where a name is given.
    recipient: { ...(plan.channel === 'wallet' ? {} : { name: 'Ana' }), wallet: plan.wallet },
    deliverable: { type: 'order', reference_id: `story ${number}` },
  }
}

async function cancelLater(telling: Telling, afterMs: number): Promise<void> {
  await sleep(afterMs)
  await act(telling, 'cancel', 'DELETE', `/${telling.story.contractId}`, { reason: 'changed my mind' })
}

/** Whether a definite answer is one that a sound gateway may give; a cancel may come before anything else. */
function isExpected({ plan, log }: Story, deed: Deed, { status, code }: Reply): boolean {
  if (status === 200) return true
  if (code === 'contract_expired') return deed !== 'create' && plan.expiresInSeconds !== null
  // The issue was given up, or refused for its time; a clock that went back has made that time good again.
  if (code === 'contract_not_issued')
    return deed === 'pay' && log.some((each) => each.deed === 'issue' && each.reply?.status !== 200)
  if (code === 'contract_cancelled') return deed !== 'create' && deed !== 'cancel'
  return deed === 'cancel' && code === 'contract_completed'
}

/** One request until it is answered: the same key each time. Some ask again although they were answered. */
async function act(telling: Telling, deed: Deed, method: Method, path: string, body?: unknown): Promise<Reply | null> {
  const { story, dice, findings } = telling
  const entry: Entry = { deed, key: `${deed} ${story.number}`, tries: 0, reply: null }
  story.log.push(entry)
  const send = () => attempt(telling, entry, method, `/contracts/transfer${path}`, body)
  let reply = await send()
  while (!reply && !story.plan.abandons) {
    await sleep(dice.whole(1, 2 * PAUSE_MS.retry))
    reply = await send()
  }
  entry.reply = reply
  if (!reply || reply.status !== 200 || !dice.chance(0.2)) return reply
  const again = await send()
  if (
    again &&
    !(
      again.status === 200 &&
      again.contract?.id === reply.contract?.id &&
      again.contract?.version === reply.contract?.version &&
      again.replayed
    )
  )
    findings.push(
      `story ${story.number}: ${deed} asked again was answered ${again.status} ${again.code}, another contract or version`,
    )
  return reply
}

/** A reply that settles the request, or null where it has to be asked again. */
async function attempt(
  { caller, statuses, findings, story }: Telling,
  entry: Entry,
  method: Method,
  path: string,
  body: unknown,
): Promise<Reply | null> {
  entry.tries += 1
  const reply = await caller.ask(method, path, body, entry.key).catch(() => null)
  const status = reply?.status ?? 0
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
  if (reply && status >= 500 && status !== 503)
    findings.push(`story ${story.number}: ${entry.deed} met ${status} ${reply.code}`)
  return reply && status < 500 && !UNSETTLED.includes(reply.code ?? '') ? reply : null
}

/** Another one is being answered, or a gateway that stood still had not read the request in its time: nothing was done by this one. */
const UNSETTLED = ['idempotency_in_progress', 'request_timeout']
