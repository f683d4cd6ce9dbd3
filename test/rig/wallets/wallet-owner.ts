// Somebody with wallets who does things by chance, through the write path: deposits, payouts that end in every way, moves between
// the wallets, refunds.
import type { NewAccount } from '../../../src/app/accounts/accounts.ts'
import type { Deps } from '../../../src/app/deps.ts'
import type { Outcome } from '../../../src/domain/channel/outcome.ts'
import type { Command } from '../../../src/domain/contract/command.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import type { Dice } from '../dice.ts'

export type Owner = {
  readonly account: NewAccount
  /** Ids; more may be added. */
  readonly wallets: string[]
  /** Does one thing. */
  readonly act: () => Promise<void>
  /** How many commands were carried out or refused so far. */
  readonly commands: () => number
}

const CONNECTOR = { notFoundFinalAfterMs: 1000, dedupeLifetimeMs: null, inquiry: true }
const NOBODY = { name: 'Ana', email: null, mobile: null, tag: null, address: null, country: null }

export function openOwner(deps: Pick<Deps, 'execute' | 'newId'>, account: NewAccount, dice: Dice): Owner {
  const { lane, accountId } = account
  const wallets = account.wallets.map(({ id }) => id)
  /** Paid contracts whose money has not left. */
  const open: string[] = []
  let commands = 0
  const run = async <C extends Command>(command: C) => {
    commands++
    return deps.execute({ lane, accountId, keyId: null, idempotency: null, command })
  }
  const amount = () => BigInt(dice.whole(1, 50_000))
  const credit = (walletId: string, amountMinor: bigint, reference: string, source: 'external' | 'clearing:wallet') =>
    run({ verb: 'credit', walletId, amountMinor, currency: 'PHP', reference, source, approval: null })
  const paid = async (
    walletId: string,
    channelId: string,
    wallet: string,
    amountMinor: bigint,
  ): Promise<string | null> => {
    const id = deps.newId(lane)
    const words = {
      issuedTo: null,
      description: 'A story',
      deliverable: null,
      recipient: { ...NOBODY, wallet },
      channelId,
    }
    const terms = { amountMinor, currency: 'PHP', ...words }
    const rest = { livemode: false, expiresInSeconds: 3600, preview: null, warnings: [], pays: null }
    await run({ verb: 'create_transfer', id, terms, ...rest })
    await run({ verb: 'issue', id, preview: null })
    return isRefusal(await run({ verb: 'pay', id, preview: null, walletId })) ? null : id
  }
  const report = (id: string, channelId: string, kind: Outcome['kind']) =>
    run({
      verb: 'report',
      id,
      number: 1,
      channelId,
      fence: null,
      connector: CONNECTOR,
      outcome: { kind, reason: 'x', providerId: null, code: 'x', message: 'x' } as Outcome,
    })
  const send = (id: string) => run({ verb: 'submit', id, leaseMs: 60_000, connector: CONNECTOR })
  const acts = {
    deposit: () => credit(dice.pick(wallets), amount(), `deposit:${deps.newId(lane)}`, 'external'),
    pay: async () => {
      const id = await paid(dice.pick(wallets), 'sandbox', '1', amount())
      if (id !== null) open.push(id)
    },
    end: async () => {
      const id = open.splice(dice.whole(0, Math.max(0, open.length - 1)), 1)[0]
      if (id === undefined) return
      if (dice.chance(0.4)) return void (await run({ verb: 'cancel', id, reason: null, actor: 'account' }))
      await send(id)
      if (dice.chance(0.5)) await report(id, 'sandbox', 'accepted')
      await report(id, 'sandbox', dice.chance(0.6) ? 'delivered' : 'failed')
      if (dice.chance(0.2)) await report(id, 'sandbox', 'returned')
    },
    move: async () => {
      const [from, to, amountMinor] = [dice.pick(wallets), dice.pick(wallets), amount()]
      const id = await paid(from, 'wallet', to, amountMinor)
      if (id === null) return
      const sent = await send(id)
      if (isRefusal(sent) || sent.attempt === null) throw new Error('a move did not leave')
      await credit(to, amountMinor, sent.attempt.reference, 'clearing:wallet')
      await report(id, 'wallet', 'delivered')
    },
  }
  const names = ['deposit', 'deposit', 'pay', 'pay', 'end', 'end', 'move', 'move'] as const
  return {
    account,
    wallets,
    act: async () => {
      await acts[dice.pick(names)]()
    },
    commands: () => commands,
  }
}
