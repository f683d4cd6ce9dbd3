// Once for each idempotency key, for operations that are about no contract: the first request claims the key, works and
// keeps its reply, sealed; the same request again gets the same bytes. What it has made is noted under the key in the transaction that
// makes it (changes.ts), so that a request whose process died before its reply was kept is not carried out twice. Commands about
// contracts do without: their key is written with their effect (execute.ts).
import { setTimeout as sleep } from 'node:timers/promises'
import { idempotencyKeyReused, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { SealBroken } from '../../platform/sealing.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import type { IdempotencyKey } from '../../store/contracts/idempotency.ts'
import {
  type ClaimedKey,
  claimReply,
  dropClaim,
  findReply,
  keptReplyFrom,
  leaveClaim,
  saveReply,
  takeOverClaim,
} from '../../store/contracts/kept-replies.ts'
import type { Deps } from '../deps.ts'

export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A key that is claimed: its reply is to be kept, or the claim released. */
export type Claim = AccountKey &
  ClaimedKey & {
    /** What an earlier try of the same request has made, before it was broken off. */
    readonly carriedOut: string | null
  }

/** What becomes of a request that was broken off after it had made something: it goes on from there, or is refused. */
export type WhenBrokenOff = 'goes on' | 'refused'

type KeptDeps = Pick<Deps, 'reader' | 'webhooks' | 'randomHex'>

/** Longer than any request takes: no request can still be working on a claim of that age. */
const STALE_MS = 60_000
const LOOKS_MAX = 60
const LOOK_AGAIN_MS = 50

/** The claim; or the reply that was kept, or why there is none. One that is still being worked on is waited for. */
export async function claimOnce(
  deps: KeptDeps,
  owner: AccountKey,
  key: IdempotencyKey,
  whenBrokenOff: WhenBrokenOff,
): Promise<Claim | Reply | Refusal> {
  const { lane, accountId } = owner
  const own = { keyHash: key.keyHash, claim: deps.randomHex() }
  const { keyHash } = own
  const claimed = (carriedOut: string | null): Claim => ({ lane, accountId, ...own, carriedOut })
  for (let looks = 1; ; looks++) {
    const [, made] = await deps.reader.send(claimReply(owner, key, own.claim, STALE_MS))
    if (made?.rows.length === 1) return claimed(null)
    const [found] = await deps.reader.send([findReply(owner, keyHash, STALE_MS)])
    const [kept] = (found?.rows ?? []).map(keptReplyFrom)
    if (kept && kept.fingerprint !== key.fingerprint) return idempotencyKeyReused()
    if (kept && kept.sealed !== null) return opened(deps, { accountId, keyHash }, kept.sealed)
    if (kept?.isStale && kept.carriedOut !== null) {
      if (whenBrokenOff === 'refused') return brokenOff(kept.carriedOut)
      const [taken] = await deps.reader.send([takeOverClaim(owner, own, STALE_MS)])
      if (taken?.rows.length === 1) return claimed(kept.carriedOut)
    }
    if (looks === LOOKS_MAX)
      return refuse('idempotency_in_progress', 'Idempotency-Key', 'The same request is still being worked on.')
    await sleep(LOOK_AGAIN_MS)
  }
}

const brokenOff = (objectId: string): Refusal =>
  refuse(
    'idempotency_reply_lost',
    'Idempotency-Key',
    `The request was carried out, and its answer was lost with the process that worked on it. Look at what it made: ${objectId}.`,
  )

type ReplyKey = Pick<Claim, 'accountId' | 'keyHash'>

const aboutOf = ({ accountId, keyHash }: ReplyKey) => ({ accountId, id: keyHash, purpose: 'reply' })

function opened({ webhooks }: KeptDeps, key: ReplyKey, sealed: string): Reply | Refusal {
  try {
    return JSON.parse(webhooks.sealing.open(sealed, aboutOf(key))) as Reply
  } catch (fault) {
    if (!(fault instanceof SealBroken)) throw fault
    const fix = 'The request was carried out, but its answer cannot be opened any more. Look at what it made.'
    return refuse('idempotency_reply_lost', 'Idempotency-Key', fix)
  }
}

/** Keeps the reply before it is sent. */
export async function keepReply(deps: KeptDeps, claim: Claim, reply: Reply): Promise<void> {
  const sealed = deps.webhooks.sealing.seal(JSON.stringify(reply), aboutOf(claim))
  await deps.reader.send([saveReply(claim, claim.keyHash, sealed)])
}

/** What was refused may be sent again with the same key. What failed, too; but not what it had made by then. */
export async function releaseClaim(
  deps: Pick<Deps, 'reader'>,
  claim: Claim,
  because: 'refused' | 'failed',
): Promise<void> {
  await deps.reader.send(
    because === 'refused' ? [dropClaim(claim, claim.keyHash)] : leaveClaim(claim, claim.keyHash, STALE_MS),
  )
}
