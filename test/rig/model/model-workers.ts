// What workers, rails and the clock do in the model test, through the write path that the real ones use.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { creditFromChannel } from '../../../src/app/accounts/credits.ts'
import { runPayout } from '../../../src/app/transfers/payouts.ts'
import type { Absence, Outcome } from '../../../src/domain/channel/outcome.ts'
import { scopeOf } from '../../../src/platform/scope.ts'
import { loadJobs, payoutFrom } from '../../../src/store/jobs/jobs.ts'
import * as rules from './model.ts'
import type { Model, ModelContract } from './model.ts'
import { about, anyContract, type Command, goesOut, isOnItsWay } from './model-forms.ts'
import * as rail from './model-rail.ts'
import type { RailMemory, RailWord } from './model-rail.ts'
import { command, type Real, recipientOf } from './model-real.ts'

const LEASE_MS = 60_000
const NEVER_MS = 10 ** 12

export const expire = (pick: number): Command =>
  about({ expire: pick, pick }, anyContract, async (_, real, contract, index) => {
    await command(real, contract, { verb: 'expire', id: real.ids[index]! })
    rules.expire(contract)
  })

export async function taking(
  real: Real,
  contract: ModelContract,
  index: number,
  verb: 'submit' | 'inquire',
): Promise<void> {
  await standStill(real, contract, index)
  const fence = await command(real, contract, { verb, id: real.ids[index]!, leaseMs: LEASE_MS, connector: CONNECTOR })
  const taken = verb === 'submit' ? rail.submit(contract) : rail.inquire(contract)
  expect(fence).toBe(taken ? contract.fence : null)
}

/** The model's time passes when a command says so; on a slow machine the clock of the database must not be ahead of it. */
async function standStill({ world, ids }: Real, { due }: ModelContract, index: number): Promise<void> {
  if (due) return
  await world.sql(
    `update jobs set due_at = now() + interval '1 minute' where contract_id = $1 and due_at <= now() + interval '1 second'`,
    [ids[index]],
  )
}

const CONNECTOR = { notFoundFinalAfterMs: NEVER_MS, dedupeLifetimeMs: null, inquiry: true }

export const take = (pick: number, verb: 'submit' | 'inquire', suits = isOnItsWay): Command =>
  about({ take: verb, pick }, suits, (_, real, contract, index) => taking(real, contract, index, verb))

/** Time passes for the attempt: its wait, its undo window or its lease is over. */
export const pass = (pick: number): Command =>
  about(
    { pass: pick, pick },
    ({ execution }) => execution !== 'none',
    async (_, real, contract, index) => {
      const live = ['queued', 'submitting', 'accepted', 'unknown']
      await real.world.sql('update jobs set due_at = now() where contract_id = $1 and status = any($2)', [
        real.ids[index],
        live,
      ])
      if (live.includes(contract.execution)) contract.due = true
    },
  )

const OUTCOMES: Record<RailWord, Outcome | Absence> = {
  not_sent: { kind: 'not_sent', reason: 'no route' },
  accepted: { kind: 'accepted', providerId: null },
  delivered: { kind: 'delivered', providerId: null },
  failed: { kind: 'failed', code: 'account_closed', message: 'Closed.' },
  returned: { kind: 'returned', code: 'bounced', message: 'Came back.' },
  unknown: { kind: 'unknown', reason: 'timeout' },
  not_found: { kind: 'not_found' },
}

export type Speaker = 'the holder' | 'the rail itself' | 'who held it before' | 'another attempt'

export async function hearing(
  model: Model,
  real: Real,
  contract: ModelContract,
  index: number,
  said: RailWord,
  by: Speaker,
  { absenceIsFinal, remembers }: RailMemory,
): Promise<void> {
  const { fence } = contract
  const fences = {
    'the holder': fence,
    'the rail itself': null,
    'who held it before': fence - 1,
    'another attempt': fence,
  }
  await command(real, contract, {
    verb: 'report',
    id: real.ids[index]!,
    number: by === 'another attempt' ? 2 : 1,
    channelId: contract.terms.channel ?? 'sandbox',
    fence: fences[by],
    outcome: OUTCOMES[said],
    connector: {
      notFoundFinalAfterMs: absenceIsFinal ? 0 : NEVER_MS,
      dedupeLifetimeMs: remembers ? null : 0,
      inquiry: true,
    },
  })
  if (by === 'who held it before') rail.hearLate(model, contract, said, { absenceIsFinal, remembers })
  if (by === 'the holder' || by === 'the rail itself') rail.hear(model, contract, said, { absenceIsFinal, remembers })
  // "At once" is a millisecond later, by the database's clock.
  if (said === 'not_found') await sleep(3)
}

export const say = (pick: number, said: RailWord, by: Speaker, memory: RailMemory, suits = isOnItsWay): Command =>
  about({ say: said, by, memory, pick }, suits, (model, real, contract, index) =>
    hearing(model, real, contract, index, said, by, memory),
  )

/** A worker that dies during its call: the credit never came, or came once, or came twice. Nobody reports. */
export const die = (pick: number, credits: 0 | 1 | 2): Command =>
  about(
    { die: credits, pick },
    (contract) => !goesOut(contract) && contract.execution !== 'none',
    async (model, real, contract, index) => {
      const { owner, terms } = contract
      const id = real.ids[index]!
      await standStill(real, contract, index)
      const fence = await command(real, contract, { verb: 'submit', id, leaseMs: LEASE_MS, connector: CONNECTOR })
      const taken = rail.lose(model, contract, credits === 0 ? 'before the credit' : 'after it')
      expect(fence).toBe(taken ? contract.fence : null)
      const { wallet } = recipientOf(real, owner, terms)
      const { receiveMinor } = rules.chargeOf(model, terms)
      const { deps } = real.world.gateway
      for (let i = 0; fence !== null && i < credits; i += 1)
        await creditFromChannel(deps, wallet ?? '', {
          amountMinor: receiveMinor,
          currency: terms.currency,
          reference: `${id.replaceAll('-', '')}001`,
          notAfter: null,
        })
    },
  )

/** A worker's whole turn: inside the gateway money arrives or is refused; what came back is refunded. */
export const work = (pick: number): Command =>
  about(
    { work: pick, pick },
    ({ terms, status }) => terms.channel === 'wallet' || status === 'returned',
    async (model, real, contract, index) => {
      const { lane, accountId } = real.callers[contract.owner]![0].account
      await standStill(real, contract, index)
      const [result] = await real.world.gateway.deps.reader.send([
        loadJobs(scopeOf([{ lane }]), [{ lane, accountId, id: real.ids[index]! }]),
      ])
      const attempt = result?.rows.map(payoutFrom).at(-1)
      // Workers find what is due; this one looks at one contract.
      const dueAt = attempt?.dueAt ?? Number.POSITIVE_INFINITY
      if (attempt && dueAt <= Date.now()) await runPayout(real.workers, attempt)
      rail.work(model, contract)
    },
  )
