// Tells each account that the gateway was restored from a backup, once for each recovery, when that has ended: only whoever was told
// of something knows that it was undone. Goes on where it was: what was told is in the books.
import { laneUuid } from '../../domain/contract/ids.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import { inRecovery } from '../../domain/recovery/epoch.ts'
import { sha256Hex } from '../../platform/hashes.ts'
import { scopeOf } from '../../platform/scope.ts'
import {
  type RestoredAccount,
  restoredAccountFrom,
  restoredAccounts,
  toldEvents,
} from '../../store/accounts/restored-accounts.ts'
import { cutFrom, cutOf } from '../../store/contracts/events.ts'
import { allEpochs, epochFrom } from '../../store/operator/epochs.ts'
import { booksEnd } from '../recoveries/books-end.ts'
import { presentRestored } from '../../wire/accounts/restored.ts'
import type { Deps } from '../deps.ts'
import { changeAccount, GATEWAY, unchanged } from './changes.ts'

export type RestoredDeps = Pick<Deps, 'changes' | 'reader'> & {
  /** The newest epoch, whose recovery has ended; null while one goes on. */
  readonly epoch: () => number | null
  /** An account could not be told. It is tried again in the next round, and no other waits for it. */
  readonly onUntold: (accountId: string, fault: unknown) => void
}

const PAGE = 500

/** What is looked at until every account was told; then nothing is, until there is another epoch. */
export function openRestored(deps: RestoredDeps): { readonly round: () => Promise<number> } {
  // Without a restore there is nothing to tell.
  let toldUntil = 1
  let last: RestoredAccount | null = null
  let areAllTold = true
  return {
    round: async () => {
      const epoch = deps.epoch()
      if (epoch === null || epoch === toldUntil) return 0
      const began = await resumedEpochs(deps)
      const [found] = await deps.reader.send([restoredAccounts([...began.keys()], last, PAGE)])
      const page = (found?.rows ?? []).map(restoredAccountFrom)
      const untold = await tellAll(
        deps,
        page.map((account) => ({ ...account, beganAt: began.get(account.epoch) ?? 0 })),
      )
      areAllTold &&= untold === 0
      last = page.at(-1) ?? null
      if (page.length === PAGE) return page.length
      if (areAllTold) toldUntil = epoch
      // Later from the beginning, for those who were not told: who was told is known.
      last = null
      areAllTold = true
      return 0
    },
  }
}

/** When each epoch began whose recovery has ended, in milliseconds since the epoch of clocks. */
async function resumedEpochs({ reader }: RestoredDeps): Promise<ReadonlyMap<number, number>> {
  const [found] = await reader.send([allEpochs()])
  const epochs = (found?.rows ?? []).map(epochFrom)
  // One that came back in its recovery ended with the next that did.
  const newest = Math.max(...epochs.filter((each) => !inRecovery(each)).map(({ number }) => number))
  return new Map(epochs.filter(({ number }) => number <= newest).map(({ number, beganAt }) => [number, beganAt]))
}

type ToldAccount = RestoredAccount & { readonly beganAt: number }

/** How many could not be told. */
async function tellAll(deps: RestoredDeps, page: readonly ToldAccount[]): Promise<number> {
  const named = page.map((account) => ({ ...account, id: eventIdOf(account) }))
  const [told] = await deps.reader.send([toldEvents(scopeOf(named), named)])
  const known = new Set(told?.rows.map((row) => row['id'] as string))
  const until = new Map<number, number>()
  let untold = 0
  for (const account of named.filter(({ id }) => !known.has(id))) {
    const { epoch, beganAt } = account
    if (!until.has(epoch)) until.set(epoch, await booksEnd(deps.reader, beganAt))
    const fault = await tell(deps, account, until.get(epoch) ?? beganAt).catch((thrown: unknown) => thrown)
    if (fault === null) continue
    untold += 1
    deps.onUntold(account.accountId, fault)
  }
  return untold
}

/** The same at each try and in each process, so that the books take one. */
const eventIdOf = ({ lane, accountId, epoch, beganAt }: ToldAccount) =>
  laneUuid(lane, beganAt, sha256Hex(`gateway.restored ${accountId} ${epoch}`))

/** Null when it is told, else why not. Another process may be here as well: who comes second finds it told. */
async function tell(
  { changes }: RestoredDeps,
  account: ToldAccount & { readonly id: string },
  until: number,
): Promise<Error | null> {
  const { lane, accountId, epoch, beganAt, id } = account
  const changer = { lane, accountId, keyId: null, actor: GATEWAY }
  const load = [toldEvents(scopeOf([account]), [account]), cutOf(account, epoch - 1)]
  const answer = await changeAccount<null>(changes, changer, load, ([told, cut], { head }) => {
    const row = cut?.rows[0]
    if (told?.rows.length !== 0 || !row) return unchanged(null)
    const { resumeAfter, undoneAfter } = cutFrom(row)
    const { livemode } = head
    const object = presentRestored({ livemode, epoch, beganAt, restoredTo: until, resumeAfter, undoneAfter })
    return { ...unchanged(null), events: [{ type: 'gateway.restored', object, id }] }
  })
  return isRefusal(answer) ? new Error(`an account is not told of a restore: ${answer.code}`) : null
}
