// The report of a recovery: what was read of each channel, and the orders that the books did not have as the provider has them.
import type { ChannelFacts } from '../../domain/channel/channel.ts'
import { type ComparedChannel, OPEN_KINDS, type RecoveryLine } from '../../domain/recovery/compare.ts'
import {
  listRecoveryChannels,
  listRecoveryLines,
  recoveryChannelFrom,
  recoveryLineFrom,
} from '../../store/operator/recovery-lines.ts'
import type { OperatorDeps } from './operator-actions.ts'

export type RecoveryReport = {
  readonly channels: readonly ComparedChannel[]
  /** Those that an operator has to end first; no more than a thousand. */
  readonly lines: readonly RecoveryLine[]
}

export const LINES_MAX = 1000
/** What was found when the channels were compared last in this epoch. */
export async function reportOf({ reader }: Pick<OperatorDeps, 'reader'>, epoch: number): Promise<RecoveryReport> {
  const [channels, lines] = await reader.send([listRecoveryChannels(epoch), listRecoveryLines(epoch, LINES_MAX)])
  return {
    channels: (channels?.rows ?? []).map(recoveryChannelFrom),
    lines: (lines?.rows ?? []).map(recoveryLineFrom),
  }
}

/**
 * Channels whose rail moves money, either way: one that only brings it in gives it back, too. The one between wallets of this gateway is
 * among them: its two ends may be on servers of which one came back older.
 */
export const comparedChannels = ({ channels }: Pick<OperatorDeps, 'channels'>): ChannelFacts[] =>
  channels.all().filter(({ terms, collect }) => terms.size > 0 || collect !== null)

/** How many lines of a report an operator has to end. */
export const openLines = ({ lines }: RecoveryReport): number =>
  lines.filter(({ kind }) => OPEN_KINDS.includes(kind) || kind === 'in_review').length
