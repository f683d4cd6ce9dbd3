// Pauses of payouts: by a person's word, for one channel or for all, nothing new is sent. What has been sent is still asked about,
// and payments come in. Pure.

/** In the place of a channel: all of them. No channel is called so. */
export const ALL_CHANNELS = '*'

export type PayoutPause = {
  /** A channel, or {@link ALL_CHANNELS}. */
  readonly channelId: string
  readonly operator: string
  readonly evidence: string
  /** In milliseconds since the epoch. */
  readonly sinceMs: number
}

/** Payouts of one channel that are due and have not been sent. */
export type WaitingPayouts = { readonly channelId: string; readonly count: number; readonly oldestMs: number }

export type PayoutState = { readonly pauses: readonly PayoutPause[]; readonly waiting: readonly WaitingPayouts[] }

/** Whether a pause of this channel, or of all, is among them. */
export const isPaused = (paused: ReadonlySet<string>, channelId: string): boolean =>
  paused.has(channelId) || paused.has(ALL_CHANNELS)
