// Once for each idempotency key, for operations that are about no contract: the first request claims the key, works and
// keeps its reply, sealed; the same request again gets the same bytes. Commands about contracts do without: their key
// is written with their effect (execute.ts).
import { setTimeout as sleep } from 'node:timers/promises'
import { idempotencyKeyReused, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { SealBroken } from '../../platform/sealing.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import type { IdempotencyKey } from '../../store/contracts/idempotency.ts'
import { claimReply, dropClaim, findReply, keptReplyFrom, saveReply } from '../../store/contracts/kept-replies.ts'
import type { Deps } from '../deps.ts'

export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A key that is claimed: its reply is to be kept, or the claim released. */
export type Claim = AccountKey & { readonly keyHash: string }

type KeptDeps = Pick<Deps, 'reader' | 'webhooks'>

/** Longer than any request takes: no request can still be working on a claim of that age. */
const STALE_MS = 60_000
const LOOKS_MAX = 60
const LOOK_AGAIN_MS = 50

/** The claim; or the reply that was kept, or why there is none. One that is still being worked on is waited for. */
export async function claimOnce(
  deps: KeptDeps,
  owner: AccountKey,
  key: IdempotencyKey,
): Promise<Claim | Reply | Refusal> {
  const { lane, accountId } = owner
  for (let looks = 1; ; looks++) {
    const [, claimed] = await deps.reader.send(claimReply(owner, key, STALE_MS))
    if (claimed?.rows.length === 1) return { lane, accountId, keyHash: key.keyHash }
    const [found] = await deps.reader.send([findReply(owner, key.keyHash)])
    const [kept] = (found?.rows ?? []).map(keptReplyFrom)
    if (kept && kept.fingerprint !== key.fingerprint) return idempotencyKeyReused()
    if (kept && kept.sealed !== null) return opened(deps, { lane, accountId, keyHash: key.keyHash }, kept.sealed)
    if (looks === LOOKS_MAX)
      return refuse('idempotency_in_progress', 'Idempotency-Key', 'The same request is still being worked on.')
    await sleep(LOOK_AGAIN_MS)
  }
}

const aboutOf = ({ accountId, keyHash }: Claim) => ({ accountId, id: keyHash, purpose: 'reply' })

function opened({ webhooks }: KeptDeps, claim: Claim, sealed: string): Reply | Refusal {
  try {
    return JSON.parse(webhooks.sealing.open(sealed, aboutOf(claim))) as Reply
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

/** What was refused may be sent again with the same key. */
export async function releaseClaim(deps: Pick<Deps, 'reader'>, claim: Claim): Promise<void> {
  await deps.reader.send([dropClaim(claim, claim.keyHash)])
}
