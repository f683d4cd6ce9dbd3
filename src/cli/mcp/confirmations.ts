// The second word of a tool that moves money. The first call shows what would be done and gives a confirmation; the second
// must bring it. It fits one deed, as it was shown, once, for a while, and in the session that it was given to. A call under it
// that nobody has answered may be sent again, as it was. Knows no tool.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export type Given = { readonly confirmation: string; readonly expiresAt: number }

export type NotTaken = 'unknown' | 'expired' | 'used' | 'changed'

/** A confirmation that was taken: what makes the deed this one. */
export type Taken = { readonly idempotencyKey: string }

/** A call under a confirmation that nobody has answered: which it is, and how the very same is sent again. */
export type Unanswered<Answer> = { readonly call: string; readonly send: () => Promise<Answer> }

export type Confirmations<Answer> = {
  /** `deed` is all that was shown, in one text: a deed of any other text needs a confirmation of its own. */
  readonly give: (tool: string, deed: string) => Given
  readonly take: (tool: string, deed: string, confirmation: string) => Taken | NotTaken
  /** The call under the confirmation, where nobody has answered it; null once it was, and where there was none. */
  readonly unanswered: (confirmation: string) => Unanswered<Answer> | null
  /** How the call under a confirmation that was taken has ended: null where it was answered. */
  readonly keep: (confirmation: string, call: Unanswered<Answer> | null) => void
}

export const CONFIRMATION_MS = 10 * 60_000

/** `nonce.expiry.digest of the deed.mac`. */
const FORM = /^([\w-]{16})\.([0-9a-z]{1,10})\.([\w-]{43})\.([\w-]{43})$/

/** Those of one session: the secret is its own, so that no other session's fit. */
export function openConfirmations<Answer>(nowMs: () => number): Confirmations<Answer> {
  const secret = randomBytes(32)
  const used = new Map<string, Used<Answer>>()
  const macOf = (tool: string, nonce: string, expiry: string, digest: string) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([tool, nonce, expiry, digest]))
      .digest('base64url')

  return {
    give: (tool, deed) => {
      const nonce = randomBytes(12).toString('base64url')
      const expiresAt = nowMs() + CONFIRMATION_MS
      const expiry = expiresAt.toString(36)
      const digest = digestOf(deed)
      return { confirmation: [nonce, expiry, digest, macOf(tool, nonce, expiry, digest)].join('.'), expiresAt }
    },
    take: (tool, deed, confirmation) => {
      const [, nonce = '', expiry = '', digest = '', mac = ''] = FORM.exec(confirmation) ?? []
      const own = macOf(tool, nonce, expiry, digest)
      if (mac.length !== own.length || !timingSafeEqual(Buffer.from(mac), Buffer.from(own))) return 'unknown'
      const expiresAt = Number.parseInt(expiry, 36)
      if (expiresAt <= nowMs()) return 'expired'
      forgetExpired(used, nowMs())
      if (used.has(confirmation)) return 'used'
      if (digest !== digestOf(deed)) return 'changed'
      used.set(confirmation, { expiresAt, call: null })
      const made = createHash('sha256').update(confirmation).digest('hex').slice(0, 40)
      return { idempotencyKey: `mcp-${made}` }
    },
    unanswered: (confirmation) => {
      forgetExpired(used, nowMs())
      return used.get(confirmation)?.call ?? null
    },
    keep: (confirmation, call) => {
      const found = used.get(confirmation)
      if (found) used.set(confirmation, { ...found, call })
    },
  }
}

type Used<Answer> = { readonly expiresAt: number; readonly call: Unanswered<Answer> | null }

const digestOf = (deed: string) => createHash('sha256').update(deed).digest('base64url')

/** One that has expired is refused for that. */
function forgetExpired(used: Map<string, Used<unknown>>, nowMs: number): void {
  for (const [confirmation, { expiresAt }] of used) if (expiresAt <= nowMs) used.delete(confirmation)
}
