// The second word of a tool that moves money. The first call shows what would be done and gives a confirmation; the second
// must bring it. It fits one deed, as it was shown, once, for a while, and in the session that it was given to. Knows no tool.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export type Given = { readonly confirmation: string; readonly expiresAt: number }

export type NotTaken = 'unknown' | 'expired' | 'used' | 'changed'

/** A confirmation that was taken: what makes the deed this one, and a way to give it back where nobody knows the outcome. */
export type Taken = { readonly idempotencyKey: string; readonly giveBack: () => void }

export type Confirmations = {
  /** `deed` is all that was shown, in one text: a deed of any other text needs a confirmation of its own. */
  readonly give: (tool: string, deed: string) => Given
  readonly take: (tool: string, deed: string, confirmation: string) => Taken | NotTaken
}

export const CONFIRMATION_MS = 10 * 60_000

/** `nonce.expiry.digest of the deed.mac`. */
const FORM = /^([\w-]{16})\.([0-9a-z]{1,10})\.([\w-]{43})\.([\w-]{43})$/

/** Those of one session: the secret is its own, so that no other session's fit. */
export function openConfirmations(nowMs: () => number): Confirmations {
  const secret = randomBytes(32)
  const used = new Map<string, number>()
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
      if (used.has(nonce)) return 'used'
      if (digest !== digestOf(deed)) return 'changed'
      used.set(nonce, expiresAt)
      const made = createHash('sha256').update(confirmation).digest('hex').slice(0, 40)
      return { idempotencyKey: `mcp-${made}`, giveBack: () => used.delete(nonce) }
    },
  }
}

const digestOf = (deed: string) => createHash('sha256').update(deed).digest('base64url')

/** One that has expired is refused for that. */
function forgetExpired(used: Map<string, number>, nowMs: number): void {
  for (const [nonce, expiresAt] of used) if (expiresAt <= nowMs) used.delete(nonce)
}
