// The switch of payouts: a person pauses them, for one channel or all, and lets them go on; each with its row of evidence in the
// same transaction. And a start that was told to send nothing.
import { ALL_CHANNELS, type PayoutState } from '../../domain/channel/payout-pauses.ts'
import { type Refusal, refuse } from '../../domain/contract/refusals.ts'
import type { Session } from '../../platform/db.ts'
import { insertOperatorAction } from '../../store/operator/operator-actions.ts'
import {
  pauseFrom,
  pausePayouts,
  payoutPauses,
  resumePayouts,
  waitingPayouts,
} from '../../store/operator/payout-pauses.ts'
import { actionOf, type Deed, type OperatorDeps } from './operator-actions.ts'

type Switch = Pick<OperatorDeps, 'reader' | 'channels' | 'ids'>

export async function payoutState({ reader, channels }: Omit<Switch, 'ids'>): Promise<PayoutState> {
  const ids = channels.all().map(({ id }) => id)
  const [pauses, ...counted] = await reader.send([payoutPauses(), ...ids.map(waitingPayouts)])
  const waiting = ids.flatMap((channelId, index) =>
    (counted[index]?.rows ?? []).map((row) => ({
      channelId,
      count: row['count'] as number,
      oldestMs: row['oldest_ms'] as number,
    })),
  )
  return {
    pauses: (pauses?.rows ?? []).map(pauseFrom),
    waiting: waiting.toSorted((a, b) => a.oldestMs - b.oldestMs),
  }
}

/**
 * Sends nothing new from now on: gateways at work see it within a second. `channelId` null is all channels. Where that is
 * paused already, it stays as it is. The state afterwards. Refused for a channel that there is not.
 */
export async function pause(desk: Switch, channelId: string | null, deed: Deed): Promise<PayoutState | Refusal> {
  if (channelId !== null && !desk.channels.current(channelId)) return noSuchChannel()
  const on = channelId ?? ALL_CHANNELS
  const action = actionOf(desk, 0, 'pause payouts', on, deed)
  return switched(desk, pausePayouts(on, action.operator, action.evidence), action)
}

/**
 * Takes one pause back: that of the channel, or (null) that of all channels. Another one stays, and is in the state
 * afterwards. Refused for a channel that there is not and that is not paused.
 */
export async function resumePaused(desk: Switch, channelId: string | null, deed: Deed): Promise<PayoutState | Refusal> {
  const on = channelId ?? ALL_CHANNELS
  const before = await payoutState(desk)
  const isKnown = channelId === null || desk.channels.current(channelId)
  if (!isKnown && !before.pauses.some((each) => each.channelId === on)) return noSuchChannel()
  return switched(desk, resumePayouts(on), actionOf(desk, 0, 'resume payouts', on, deed))
}

const noSuchChannel = () => refuse('channel_not_found', 'channel', 'No channel has this id.')

/** Kept as somebody's deed only where it changed something. */
async function switched(
  desk: Switch,
  change: ReturnType<typeof resumePayouts>,
  action: ReturnType<typeof actionOf>,
): Promise<PayoutState> {
  await desk.reader.transaction<null>([change], ([changed]) => ({
    statements: changed?.rows[0] ? [insertOperatorAction(action)] : [],
    value: null,
  }))
  return payoutState(desk)
}

/** What a start without payouts does before anything is sent: it pauses all channels, for every gateway on the database. */
export async function pauseAtStart(session: Session): Promise<void> {
  await session.send([pausePayouts(ALL_CHANNELS, 'GATEWAY_PAYOUTS=off', 'The gateway was started without payouts.')])
}
