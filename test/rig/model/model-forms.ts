// The form of the model test's commands: what they are called, which contract they take, and the comparison afterwards.
import type fc from 'fast-check'
import type { Model, ModelContract } from './model.ts'
import { expectSame, type Real } from './model-real.ts'

export type Command = fc.AsyncCommand<Model, Real, true>

/** A command under a name that says all it was made of, for the reader of a counterexample. */
export function named(
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
export function about(
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

export const anyContract = (_: ModelContract) => true
export const goesOut = ({ terms }: ModelContract) => terms.channel !== 'wallet'
export const isOnItsWay = (contract: ModelContract) => goesOut(contract) && contract.execution !== 'none'
export const can = (status: ModelContract['status']) => (contract: ModelContract) => contract.status === status
export const keyOf = (real: Real, hasKey: boolean) => (hasKey ? `key ${real.kept.length}` : null)
