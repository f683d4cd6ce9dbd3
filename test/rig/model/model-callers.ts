// What callers do in the model test: the same to the model and to the real gateway, with the answers compared.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { ContractBody } from '../../world.ts'
import * as rules from './model.ts'
import type { Model, ModelContract, Source, Terms } from './model.ts'
import { about, anyContract, type Command, keyOf, named } from './model-forms.ts'
import { answeredBy, ask, callerOf, expectSame, type Real, recipientOf, verdictOf, walletId } from './model-real.ts'

export type Drafted = Terms & { readonly owner: number; readonly hasKey: boolean }

export const PATH = '/contracts/transfer'

function bodyOf(real: Real, owner: number, terms: Terms) {
  const { amountMinor, currency, channel } = terms
  return {
    amount: Number(rules.majorText(amountMinor, currency)),
    currency,
    channel,
    recipient: recipientOf(real, owner, terms),
  }
}

export async function creation(
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

export const create = (drafted: Drafted): Command =>
  named(
    { create: drafted },
    () => true,
    async (model, real) => {
      await creation(model, real, drafted, {})
      await expectSame(model, real, model.contracts.length - 1)
    },
  )

/** A contract whose time runs out in a second, got as far as `upTo` before that. At most one a run: it takes the second. */
export const lapse = (drafted: Drafted, upTo: 'nothing' | 'issue' | 'pay'): Command =>
  named(
    { lapse: drafted, upTo },
    ({ contracts }) => !contracts.some(({ lapsed }) => lapsed),
    async (model, real) => {
      const { id, expires_at } = await creation(model, real, drafted, { expires_in: 1 })
      const contract = model.contracts.at(-1)!
      const over = Date.parse(expires_at)
      // On a machine that was busy for that second, the rest is left out.
      for (const verb of ['issue', 'pay'] as const) {
        if (upTo === 'nothing' || (verb === 'pay' && upTo !== 'pay')) continue
        if (Date.now() > over - 300) break
        const reply = await ask(real, model, drafted.owner, 'PUT', `${PATH}/${id}/${verb}`, {}, null)
        if (verdictOf(reply) === 'contract_expired' && Date.now() >= over) break
        const expected = verb === 'issue' ? rules.issue(model, contract, true) : rules.pay(model, contract, true, 'any')
        expect(verdictOf(reply)).toBe(expected)
      }
      await sleep(Math.max(0, over - Date.now()) + 20)
      contract.lapsed = true
      await expectSame(model, real, model.contracts.length - 1)
    },
  )

export const update = (pick: number, changes: Partial<Terms>, hasKey: boolean): Command =>
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

export type Preview = 'none' | 'right' | 'wrong'

function previewOf(model: Model, { terms }: ModelContract, sent: Preview) {
  const { debitMinor, feeMinor } = rules.chargeOf(model, terms)
  const major = (minor: bigint) => Number(rules.majorText(minor, terms.currency))
  return { amount: major(debitMinor + (sent === 'wrong' ? 1n : 0n)), fees: { total: major(feeMinor) } }
}

export const issue = (pick: number, preview: Preview, hasKey: boolean, suits = anyContract): Command =>
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

export const pay = (pick: number, preview: Preview, source: Source, hasKey: boolean, suits = anyContract): Command =>
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

export const cancel = (pick: number, hasKey: boolean, suits = anyContract): Command =>
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
export const trespass = (pick: number, verb: 'GET' | 'PATCH' | 'DELETE'): Command =>
  about({ trespass: verb, pick }, anyContract, async (_, real, contract, index) => {
    const reply = await callerOf(real, 1 - contract.owner).ask(
      verb,
      `${PATH}/${real.ids[index]}`,
      verb === 'GET' ? {} : { body: {} },
    )
    expect([reply.status, verdictOf(reply)]).toEqual([404, 'contract_not_found'])
  })

/** What makes another request of one, in a member that its operation takes. */
function otherwise(method: string, path: string): Readonly<Record<string, unknown>> {
  if (method === 'DELETE') return { reason: 'something else' }
  if (method !== 'PUT') return { description: 'something else' }
  return path.endsWith('/retry') ? { channel: 'something else' } : { preview: { valid: null } }
}

/** A request that was answered, sent again: the same answer from memory; with another body a refusal. */
export const repeat = (pick: number, isChanged: boolean): Command =>
  named(
    { repeat: pick, isChanged },
    ({ keptAnswers }) => keptAnswers > 0,
    async (_, real) => {
      const { owner, method, path, body, key, status, answered } = real.kept[pick % real.kept.length]!
      const sent = isChanged ? { ...body, ...otherwise(method, path) } : body
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
