// Secrets in the clear, as whoever signs with them, or proves a signature by them, has them. Pure.

/** One of them. After `expiresAt`, in milliseconds, it counts no more; null for one that does until another takes its place. */
export type OpenSecret = { readonly text: string; readonly createdAt: number; readonly expiresAt: number | null }
/** What an endpoint's deliveries are signed with, newest first, and what they are authorised with. */
export type OpenSecrets = { readonly secrets: readonly OpenSecret[]; readonly bearer: string }

/** Whether a secret that ends then still counts; null for one that has no end. */
export const isLive = (expiresAt: number | null, nowMs: number): boolean => expiresAt === null || expiresAt > nowMs

/** Those that count at this moment, in their order. */
export function liveTexts(secrets: readonly OpenSecret[], nowMs: number): string[] {
  return secrets.filter((each) => isLive(each.expiresAt, nowMs)).map((each) => each.text)
}
