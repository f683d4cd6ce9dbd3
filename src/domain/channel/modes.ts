// The separation of test and live channels: which of them a contract may name, and the text of the refusal. Pure.
import type { ChannelBook, ChannelFacts, ChannelMode } from './channel.ts'
import { type Refusal, refuse } from '../contract/refusals.ts'

type Moded = Pick<ChannelFacts, 'id' | 'mode'>

/** Whether a channel takes contracts of the mode: test money never moves on a channel of live money, nor live on test. */
export function isForMode({ mode }: Pick<Moded, 'mode'>, livemode: boolean): boolean {
  return mode === 'both' || mode === (livemode ? 'live' : 'test')
}

/** The modes of contracts that a channel takes. */
export function livemodesOf(mode: ChannelMode): readonly boolean[] {
  return mode === 'both' ? [false, true] : [mode === 'live']
}

/** The modes of contracts that a channel of the book takes now; none where it is not offered. */
export function livemodesIn({ current }: Pick<ChannelBook, 'current'>, channelId: string): readonly boolean[] {
  const channel = current(channelId)
  return channel ? livemodesOf(channel.mode) : []
}

/** The mode as it is displayed, in capitals where nothing is real. */
export const modeWord = (livemode: boolean) => (livemode ? 'live' : 'TEST')

/** Null where the channel takes contracts of the mode; else the refusal, which names the channels of `offered` that do. */
export function refuseOtherMode(
  channel: Moded,
  livemode: boolean,
  offered: () => readonly Moded[],
  param = 'channel',
): Refusal | null {
  if (isForMode(channel, livemode)) return null
  const moves = `Channel ${channel.id} moves ${modeWord(!livemode)} money, and this is a ${modeWord(livemode)} contract.`
  return refuse('channel_not_in_mode', param, `${moves} ${mendOf(livemode, offered())}`)
}

/** Which channels there are for the mode, or what to do where there is none. */
export function mendOf(livemode: boolean, offered: readonly Moded[]): string {
  const fit = offered.filter((each) => isForMode(each, livemode)).map(({ id }) => id)
  if (fit.length > 0) return `Choose one of: ${fit.join(', ')}.`
  return livemode
    ? 'No live channel is offered here: a rail is live once the gateway knows its real address.'
    : 'No test channel is offered here: use a gateway for development, or a live account.'
}
