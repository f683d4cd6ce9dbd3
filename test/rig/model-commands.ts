// The commands of the model test: each does the same to the model and to the real gateway, and compares the answers.
import fc from 'fast-check'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { workOn } from '../../src/app/outcomes.ts'
import type { Absence, Outcome } from '../../src/domain/outcome.ts'
import { MANY_LANES } from '../../src/platform/scope.ts'
import { attemptFrom, loadAttempts } from '../../src/store/attempts.ts'
import type { ContractBody } from '../world.ts'
import * as rules from './model.ts'
import type { Model, ModelContract, Source, Terms } from './model.ts'
import * as rail from './model-rail.ts'
import type { RailMemory, RailWord } from './model-rail.ts'
import {
  answeredBy,
  ask,
  callerOf,
  command,
  expectSame,
  type Real,
  recipientOf,
  verdictOf,
  walletId,
} from './model-real.ts'

type Command = fc.AsyncCommand<Model, Real, true>
type Drafted = Terms & { readonly owner: number; readonly hasKey: boolean }

const PATH = '/contracts/transfer'
const LEASE_MS = 60_000
const NEVER_MS = 10 ** 12

function named(
  name: unknown,
  suits: (model: Model) => boolean,
  run: (model: Model, real: Real) => Promise<void>,
): Command {
  return {
    check: async (model) => suits(model),
    run: async (model, real) => {
      await run(model, real)
      real.steps += 1
    },
    toString: () => JSON.stringify(name, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)),
  }
}

/** A command about a contract that suits it: `pick` counts from the newest of them. */
function about(
  what: Record<string, unknown> & { readonly pick: number },
  suits: (contract: ModelContract) => boolean,
  run: (model: Model, real: Real, contract: ModelContract, index: number) => Promise<void>,
): Command {
  const suitable = ({ contracts }: Model) =>
    [...contracts.keys()].filter((index) => suits(contracts[index]!)).toReversed()
  return named(
    what,
    (model) => suitable(model).length > 0,
    async (model, real) => {
      const from = suitable(model)
      const index = from[what.pick % from.length]!
      await run(model, real, model.contracts[index]!, index)
      await expectSame(model, real, index)
    },
  )
}

const anyContract = (_: ModelContract) => true
const goesOut = ({ terms }: ModelContract) => terms.channel !== 'wallet'
const isOnItsWay = (contract: ModelContract) => goesOut(contract) && contract.execution !== 'none'
const can = (status: ModelContract['status']) => (contract: ModelContract) => contract.status === status
const keyOf = (real: Real, hasKey: boolean) => (hasKey ? `key ${real.kept.length}` : null)

function bodyOf(real: Real, owner: number, terms: Terms) {
  const { amountMinor, currency, channel } = terms
  return {
    amount: Number(rules.majorText(amountMinor, currency)),
    currency,
    channel,
    recipient: recipientOf(real, owner, terms),
  }
}

async function creation(
  model: Model,
  real: Real,
  { owner, hasKey, ...terms }: Drafted,
  more: Record<string, unknown>,
): Promise<ContractBody> {
  const reply = await ask(
    real,
    model,
    owner,
    'POST',
    PATH,
    { ...bodyOf(real, owner, terms), ...more },
    keyOf(real, hasKey),
  )
  expect(verdictOf(reply)).toBe(200)
  const contract = reply.data['contract'] as ContractBody
  real.ids.push(contract.id)
  rules.create(model, owner, terms)
  return contract
}

const create = (drafted: Drafted): Command =>
  named(
    { create: drafted },
    () => true,
    async (model, real) => {
      await creation(model, real, drafted, {})
      await expectSame(model, real, model.contracts.length - 1)
    },
  )

/** A contract that is issued and paid straight away. */
const begin = (drafted: Drafted, upTo: 'draft' | 'issued' | 'paid'): Command =>
  named(
    { begin: drafted, upTo },
    () => true,
    async (model, real) => {
      const { id } = await creation(model, real, drafted, {})
      const contract = model.contracts.at(-1)!
      const put = (verb: string) =>
        ask(real, model, drafted.owner, 'PUT', `${PATH}/${id}/${verb}`, {}, keyOf(real, drafted.hasKey))
      if (upTo !== 'draft') expect(verdictOf(await put('issue'))).toBe(rules.issue(model, contract, true))
      if (upTo === 'paid') expect(verdictOf(await put('pay'))).toBe(rules.pay(model, contract, true, 'any'))
      await expectSame(model, real, model.contracts.length - 1)
    },
  )

/** A contract whose time runs out in a second, got as far as `then` before that. At most one a run: it takes the second. */
const lapse = (drafted: Drafted, then: 'nothing' | 'issue' | 'pay'): Command =>
  named(
    { lapse: drafted, then },
    ({ contracts }) => !contracts.some(({ lapsed }) => lapsed),
    async (model, real) => {
      const { id, expires_at } = await creation(model, real, drafted, { expires_in: 1 })
      const contract = model.contracts.at(-1)!
      const over = Date.parse(expires_at)
      // On a machine that was busy for that second, the rest is left out.
      for (const verb of ['issue', 'pay'] as const) {
        if (then === 'nothing' || (verb === 'pay' && then !== 'pay')) continue
        if (Date.now() > over - 300) break
        const reply = await ask(real, model, drafted.owner, 'PUT', `${PATH}/${id}/${verb}`, {}, null)
        const expected = verb === 'issue' ? rules.issue(model, contract, true) : rules.pay(model, contract, true, 'any')
        expect(verdictOf(reply)).toBe(expected)
      }
      await sleep(Math.max(0, over - Date.now()) + 20)
      contract.lapsed = true
      await expectSame(model, real, model.contracts.length - 1)
    },
  )

const update = (pick: number, changes: Partial<Terms>, hasKey: boolean): Command =>
  about({ update: changes, pick, hasKey }, anyContract, async (model, real, contract, index) => {
    const { amountMinor, channel, name, wallet } = changes
    // Money keeps its currency's form: the model's amounts are of the contract's own.
    const body = {
      ...(amountMinor === undefined ? {} : { amount: Number(rules.majorText(amountMinor, contract.terms.currency)) }),
      ...(channel === undefined ? {} : { channel }),
      ...(name === undefined && wallet === undefined
        ? {}
        : { recipient: recipientOf(real, contract.owner, { name: name ?? null, wallet: wallet ?? null }) }),
    }
    const reply = await ask(
      real,
      model,
      contract.owner,
      'PATCH',
      `${PATH}/${real.ids[index]}`,
      body,
      keyOf(real, hasKey),
    )
    expect(verdictOf(reply)).toBe(rules.update(contract, changes))
  })

type Preview = 'none' | 'right' | 'wrong'

function previewOf(model: Model, { terms }: ModelContract, sent: Preview) {
  const { debitMinor, feeMinor } = rules.chargeOf(model, terms)
  const major = (minor: bigint) => Number(rules.majorText(minor, terms.currency))
  return { amount: major(debitMinor + (sent === 'wrong' ? 1n : 0n)), fees: { total: major(feeMinor) } }
}

const issue = (pick: number, preview: Preview, hasKey: boolean, suits = anyContract): Command =>
  about({ issue: preview, pick, hasKey }, suits, async (model, real, contract, index) => {
    const body = preview === 'none' ? {} : { preview: previewOf(model, contract, preview) }
    const reply = await ask(
      real,
      model,
      contract.owner,
      'PUT',
      `${PATH}/${real.ids[index]}/issue`,
      body,
      keyOf(real, hasKey),
    )
    expect(verdictOf(reply)).toBe(rules.issue(model, contract, preview !== 'wrong'))
  })

const pay = (pick: number, preview: Preview, source: Source, hasKey: boolean, suits = anyContract): Command =>
  about({ pay: preview, source, pick, hasKey }, suits, async (model, real, contract, index) => {
    const { owner, terms } = contract
    const sources: Record<Source, string | null> = {
      any: null,
      'the right one': walletId(real, owner, terms.currency),
      'of another currency': walletId(real, owner, terms.currency === 'PHP' ? 'JPY' : 'PHP'),
      'of a stranger': walletId(real, 1 - owner, terms.currency),
    }
    const body = {
      ...(preview === 'none' ? {} : { preview: previewOf(model, contract, preview) }),
      ...(sources[source] === null ? {} : { source: sources[source] }),
    }
    const reply = await ask(real, model, owner, 'PUT', `${PATH}/${real.ids[index]}/pay`, body, keyOf(real, hasKey))
    expect(verdictOf(reply)).toBe(rules.pay(model, contract, preview !== 'wrong', source))
  })

const cancel = (pick: number, hasKey: boolean, suits = anyContract): Command =>
  about({ cancel: pick, pick, hasKey }, suits, async (model, real, contract, index) => {
    const reply = await ask(
      real,
      model,
      contract.owner,
      'DELETE',
      `${PATH}/${real.ids[index]}`,
      { reason: 'no more' },
      keyOf(real, hasKey),
    )
    expect(verdictOf(reply)).toBe(rules.cancel(model, contract))
  })

/** Somebody else's contract is no contract. */
const trespass = (pick: number, verb: 'GET' | 'PATCH' | 'DELETE'): Command =>
  about({ trespass: verb, pick }, anyContract, async (_, real, contract, index) => {
    const reply = await callerOf(real, 1 - contract.owner).ask(
      verb,
      `${PATH}/${real.ids[index]}`,
      verb === 'GET' ? {} : { body: {} },
    )
    expect([reply.status, verdictOf(reply)]).toEqual([404, 'contract_not_found'])
  })

/** A request that was answered, sent again: the same answer from memory; with another body a refusal. */
const repeat = (pick: number, isChanged: boolean): Command =>
  named(
    { repeat: pick, isChanged },
    ({ keptAnswers }) => keptAnswers > 0,
    async (_, real) => {
      const { owner, method, path, body, key, status, answered } = real.kept[pick % real.kept.length]!
      const sent = isChanged ? { ...body, extra: 'something else' } : body
      const reply = await callerOf(real, owner).ask(method, path, { body: sent, headers: { 'idempotency-key': key } })
      if (isChanged) expect([reply.status, verdictOf(reply)]).toEqual([422, 'idempotency_key_reused'])
      else
        expect([reply.status, reply.headers['idempotent-replayed'], answeredBy(reply)]).toEqual([
          status,
          'true',
          answered,
        ])
    },
  )

const expire = (pick: number): Command =>
  about({ expire: pick, pick }, anyContract, async (_, real, contract, index) => {
    await command(real, contract, { verb: 'expire', id: real.ids[index]! })
    rules.expire(contract)
  })

const take = (pick: number, verb: 'submit' | 'inquire', suits = isOnItsWay): Command =>
  about({ take: verb, pick }, suits, async (_, real, contract, index) => {
    const fence = await command(real, contract, { verb, id: real.ids[index]!, leaseMs: LEASE_MS })
    const taken = verb === 'submit' ? rail.submit(contract) : rail.inquire(contract)
    expect(fence).toBe(taken ? contract.fence : null)
  })

/** Time passes for the attempt: its wait, its undo window or its lease is over. */
const pass = (pick: number): Command =>
  about(
    { pass: pick, pick },
    ({ execution }) => execution !== 'none',
    async (_, real, contract, index) => {
      const live = ['queued', 'submitting', 'accepted', 'unknown']
      await real.world.sql('update attempts set due_at = now() where contract_id = $1 and status = any($2)', [
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

type Speaker = 'the holder' | 'the rail itself' | 'who held it before' | 'another attempt'

const say = (pick: number, word: RailWord, speaker: Speaker, memory: RailMemory, suits = isOnItsWay): Command =>
  about({ say: word, speaker, memory, pick }, suits, async (model, real, contract, index) => {
    const fences = {
      'the holder': contract.fence,
      'the rail itself': null,
      'who held it before': contract.fence - 1,
      'another attempt': contract.fence,
    }
    await command(real, contract, {
      verb: 'report',
      id: real.ids[index]!,
      number: speaker === 'another attempt' ? 2 : 1,
      fence: fences[speaker],
      outcome: OUTCOMES[word],
      connector: {
        notFoundFinalAfterMs: memory.absenceIsFinal ? 0 : NEVER_MS,
        dedupeLifetimeMs: memory.remembers ? null : 0,
      },
    })
    if (speaker === 'the holder' || speaker === 'the rail itself') rail.hear(model, contract, word, memory)
    // "At once" is a millisecond later, by the database's clock.
    if (word === 'not_found') await sleep(3)
  })

/** A worker's whole turn: inside the gateway money arrives or is refused; what came back is refunded. */
const work = (pick: number): Command =>
  about(
    { work: pick, pick },
    ({ terms, status }) => terms.channel === 'wallet' || status === 'returned',
    async (model, real, contract, index) => {
      const { lane, accountId } = real.callers[contract.owner]![0].account
      const [result] = await real.world.gateway.deps.reader.send([
        loadAttempts(MANY_LANES, [{ lane, accountId, id: real.ids[index]! }]),
      ])
      const attempt = result?.rows.map(attemptFrom).at(-1)
      // Workers find what is due; this one looks at one contract.
      if (attempt?.dueAt != null && attempt.dueAt <= Date.now()) await workOn(real.workers, attempt)
      rail.work(model, contract)
    },
  )

const pick = fc.nat({ max: 3 })
const often = fc.constantFrom(true, false)
const owner = fc.constantFrom(0, 0, 1)
const amount = fc.constantFrom(1n, 99n, 100n, 333n, 1005n, 4999n, 5000n, 12_345n, 49_999n, 50_001n)
const channel = fc.constantFrom('sandbox', 'sandbox', 'thrift', 'wallet', 'wallet', null)
const wallet = fc.constantFrom('account 1', 'other PHP', 'other PHP', 'other JPY', 'own PHP', 'nobody', null)
const drafted = fc.record({
  owner,
  hasKey: often,
  amountMinor: amount,
  currency: fc.constantFrom('PHP', 'PHP', 'JPY'),
  channel,
  name: fc.constantFrom('Ana', 'Ana', 'Ana', null),
  wallet,
})
/** Drafts that can be issued and paid: from chance alone few would get far. */
const sound = fc.record({
  owner,
  hasKey: often,
  amountMinor: fc.constantFrom(333n, 1005n, 4999n, 12_345n),
  currency: fc.constantFrom('PHP', 'PHP', 'JPY'),
  channel: fc.constantFrom('sandbox', 'wallet'),
  name: fc.constant('Ana'),
  wallet: fc.constantFrom('other PHP', 'other JPY'),
})
const changes: fc.Arbitrary<Partial<Terms>> = fc.oneof(
  fc.record({ amountMinor: amount }),
  fc.record({ channel }),
  fc.record({ name: fc.constant('Ben'), wallet: fc.constantFrom('account 2', 'other PHP') }),
)
const preview = fc.constantFrom<Preview>('none', 'none', 'right', 'wrong')
const source = fc.constantFrom<Source>('any', 'any', 'any', 'the right one', 'of another currency', 'of a stranger')
const word = fc.constantFrom<RailWord>(
  'not_sent',
  'accepted',
  'accepted',
  'delivered',
  'failed',
  'returned',
  'unknown',
  'unknown',
  'not_found',
  'not_found',
)
const speaker = fc.constantFrom<Speaker>(
  'the holder',
  'the holder',
  'the holder',
  'the rail itself',
  'who held it before',
  'another attempt',
)
const memory = fc.record({
  absenceIsFinal: fc.constantFrom(true, true, false),
  remembers: fc.constantFrom(true, true, false),
})

/** What a run begins with, so that there is something to work on. */
export const BEGINNING: fc.Arbitrary<Command> = fc
  .tuple(sound, fc.constantFrom('draft' as const, 'issued' as const, 'paid' as const, 'paid' as const))
  .map((args) => begin(...args))

/** Each kind as often as it is listed. Those that suit any contract show what is refused and what changes nothing. */
export const COMMANDS: fc.Arbitrary<Command>[] = [
  drafted.map(create),
  BEGINNING,
  fc.tuple(sound, fc.constantFrom('nothing' as const, 'issue' as const, 'pay' as const)).map((args) => lapse(...args)),
  fc.tuple(pick, changes, often).map((args) => update(...args)),
  fc.tuple(pick, preview, often).map((args) => issue(...args)),
  fc.tuple(pick, preview, often).map((args) => issue(...args, can('draft'))),
  fc.tuple(pick, preview, source, often).map((args) => pay(...args)),
  fc.tuple(pick, preview, source, often).map((args) => pay(...args, can('issued'))),
  ...['first', 'second', 'third'].map(() =>
    fc.tuple(pick, often).map(([each, hasKey]) => pay(each, 'none', 'any', hasKey, can('issued'))),
  ),
  fc.tuple(pick, often).map((args) => cancel(...args)),
  fc.tuple(pick, often).map((args) => cancel(...args, isOnItsWay)),
  fc.tuple(pick, fc.constantFrom('GET' as const, 'PATCH' as const, 'DELETE' as const)).map((args) => trespass(...args)),
  fc.tuple(fc.nat({ max: 30 }), fc.boolean()).map((args) => repeat(...args)),
  pick.map(expire),
  fc.tuple(pick, fc.constantFrom('submit' as const, 'inquire' as const)).map((args) => take(...args, goesOut)),
  ...(['submit', 'submit', 'inquire', 'inquire'] as const).map((verb) => pick.map((each) => take(each, verb))),
  ...['first', 'second'].map(() => pick.map(pass)),
  fc.tuple(pick, word, speaker, memory).map((args) => say(...args, goesOut)),
  fc.tuple(pick, word, speaker, memory).map((args) => say(...args)),
  ...['first', 'second', 'third', 'fourth'].map(() =>
    fc.tuple(pick, word, memory).map(([each, said, remembered]) => say(each, said, 'the holder', remembered)),
  ),
  ...['first', 'second'].map(() => pick.map(work)),
]
