// How operators begin a recovery by hand, and end any: one says why the books fit what the rails did, another one confirms it.
import { endsRecovery, type Epoch, inRecovery } from '../../domain/recovery/epoch.ts'
import { channelsLacking, type ComparedChannel } from '../../domain/recovery/compare.ts'
import { type Refusal, refuse } from '../../domain/contract/refusals.ts'
import {
  beginEpoch,
  epochFrom,
  lockEpoch,
  newestEpoch,
  notePositions,
  placeFrom,
  proposeResume,
  readPlace,
  resumeEpoch,
} from '../../store/operator/epochs.ts'
import { passOverKeyIndexes } from '../../store/crypto/chain-addresses.ts'
import { reportChainPaymentsAgain } from '../../store/crypto/chain-payments.ts'
import { ALL_LANES } from '../../domain/contract/ids.ts'
import type { Result, Session } from '../../platform/db.ts'
import { lostLanes, wordsOfLost } from '../jobs/moved-lanes.ts'
import { type LackedFrom, mayLackByServer } from '../recoveries/books-end.ts'
import { insertOperatorAction } from '../../store/operator/operator-actions.ts'
import { actionOf, type Deed, type OperatorDeps } from './operator-actions.ts'
import { comparedChannels, type RecoveryReport, reportOf } from './recovery-report.ts'
import { verifyPlaces } from './verify.ts'

type RecoveryDesk = Pick<OperatorDeps, 'reader' | 'ids'>
/** `without`: channels that are resumed although they were not compared, as the evidence explains. */
type ResumeDesk = RecoveryDesk & Pick<OperatorDeps, 'channels'>

/** The newest epoch. */
export async function epochOf({ reader }: Pick<RecoveryDesk, 'reader'>): Promise<Epoch> {
  const [found] = await reader.send([newestEpoch()])
  if (!found?.rows[0]) throw new Error('the database has no epoch')
  return epochFrom(found.rows[0])
}

/**
 * Says that the database is older than what was done with it, where no mark can tell. Gateways at work on it end. The epoch
 * afterwards, whose number is above `noted`: no epoch that a mark knows is begun again. Refused where the gateway is in recovery already; but
 * not of a backup (`noted` is given): one that was made in recovery has its comparison and its first word of two, which are of before.
 */
export async function declareRecovery(
  desk: RecoveryDesk,
  deed: Deed,
  noted: number | null = null,
): Promise<Epoch | Refusal> {
  const refusal = await desk.reader.transaction<Refusal | null>([newestEpoch(), readPlace()], ([newest, place]) => {
    const [epochRow, placeRow] = [newest?.rows[0], place?.rows[0]]
    if (!epochRow || !placeRow) throw new Error('the database does not say where it stands')
    const { number, resumedAt } = epochFrom(epochRow)
    const next = Math.max(number, noted ?? 0) + 1
    const already = refuse(
      'already_in_recovery',
      null,
      'The gateway is in recovery already. See: gateway recovery status.',
    )
    if (resumedAt === null && noted === null) return { statements: [], value: already }
    const action = actionOf(desk, 0, 'declare recovery', String(next), deed)
    const begin = beginEpoch(next, 'declared', null, placeFrom(placeRow))
    return {
      load: [begin],
      decide: ([begun]) => ({ statements: [...notePositions(next, begun), insertOperatorAction(action)], value: null }),
    }
  })
  return refusal ?? epochOf(desk)
}

/**
 * Refuses to compare, and to end, a recovery of books whose lanes are not where home says: of what is nowhere nothing can be compared, and
 * that is said first, for the rows that have to come back may be those of a lane which is on two servers.
 */
export const refusalOfLanes = async (desk: Pick<RecoveryDesk, 'reader'>): Promise<Refusal | null> =>
  (await refusalOfLost(desk)) ?? (await refusalOfPlaces(desk))

/**
 * Refuses while a server has accounts of a lane that home says is elsewhere. Home may have come back with its old rows of the lane: what is
 * adopted into them the newer ones lack, and once they are worked with again, both have happened.
 */
async function refusalOfPlaces({ reader }: Pick<RecoveryDesk, 'reader'>): Promise<Refusal | null> {
  const [first, ...others] = await verifyPlaces(reader)
  if (!first) return null
  const more = others.length > 0 ? ` And ${others.length} more: gateway verify.` : ''
  return refuse('lane_on_other_server', null, `${first.row}: ${first.problem}.${more}`)
}

/**
 * The first person's word waits a day for the second one's; the same person's word again only renews it. The epoch
 * afterwards. Refused where the gateway is not in recovery; while a server lacks a lane that has come to it, for nothing of its accounts could
 * be compared; while a lane is on another server than home says; and while a channel was not compared that `without` does not name.
 */
export async function resume(desk: ResumeDesk, given: Deed, without: readonly string[] = []): Promise<Epoch | Refusal> {
  const newest = await epochOf(desk)
  const { number } = newest
  const report = await reportOf(desk, number)
  const early = inRecovery(newest) ? ((await refusalOfLanes(desk)) ?? refusalOfLacking(desk, report, without)) : null
  if (early) return early
  if (inRecovery(newest)) await reportAgain(desk.reader, await lackedFrom(desk.reader, newest, report.channels))
  // Who reads the record must see what was left out.
  const left = without.length === 0 ? '' : ` (without comparing ${without.join(', ')})`
  const deed = { ...given, evidence: `${given.evidence}${left}` }
  const none = refuse('not_in_recovery', null, 'The gateway is not in recovery: there is nothing to resume.')
  const refusal = await desk.reader.transaction<Refusal | null>([lockEpoch(number)], ([locked]) => {
    const row = locked?.rows[0]
    if (!row || !inRecovery(epochFrom(row))) return { statements: [], value: none }
    const epoch = epochFrom(row)
    const { operator } = deed
    if (!endsRecovery(epoch, operator, desk.ids.nowMs())) {
      const action = actionOf(desk, 0, 'propose resume', String(number), deed)
      return {
        statements: [proposeResume(number, operator, action.evidence), insertOperatorAction(action)],
        value: null,
      }
    }
    const action = actionOf(desk, 0, 'resume', String(number), { ...deed, approvedBy: epoch.proposedBy ?? operator })
    return {
      statements: [resumeEpoch(number, operator), passOverKeyIndexes(), insertOperatorAction(action)],
      value: null,
    }
  })
  return refusal ?? epochOf(desk)
}

/** From when on payments may have been booked where they are not any more: what was compared began there, or earlier where an operator knew better. */
async function lackedFrom(
  reader: Session,
  { beganAt }: Epoch,
  channels: readonly ComparedChannel[],
): Promise<readonly LackedFrom[]> {
  if (channels.length === 0) return mayLackByServer(reader, beganAt)
  return [{ lanes: ALL_LANES, fromMs: Math.min(...channels.map(({ readFrom }) => readFrom)) }]
}

/** So many rows are read in one statement, which has its time with room to spare. */
const REPORTED_AT_ONCE = 1000

/**
 * Sets back what was reported, in parts: there may be more than one statement has time for, and a recovery must have an end. With each of the
 * two words, and before it: in recovery nothing is booked, so that all of it is set back by the word that counts, whatever broke on the way.
 */
async function reportAgain(reader: Session, lacked: readonly LackedFrom[]): Promise<void> {
  for (let after: string | null = ''; after !== null; ) {
    const found: readonly Result[] = await reader.send([reportChainPaymentsAgain(lacked, after, REPORTED_AT_ONCE)])
    after = (found[0]?.rows[0]?.['last'] as string | null | undefined) ?? null
  }
}

async function refusalOfLost({ reader }: Pick<RecoveryDesk, 'reader'>): Promise<Refusal | null> {
  const [lost, ...others] = await lostLanes(reader)
  if (!lost) return null
  const more = others.length === 0 ? '' : ` Lanes ${others.map(({ lane }) => lane).join(', ')} are missing, too.`
  return refuse('lane_lost', null, `A lane is missing: ${wordsOfLost(lost)}.${more}`)
}

function refusalOfLacking(
  desk: ResumeDesk,
  { channels, lines }: RecoveryReport,
  without: readonly string[],
): Refusal | null {
  const compared = comparedChannels(desk).map(({ id }) => id)
  const unknown = without.filter((id) => !compared.includes(id))
  if (unknown.length > 0)
    return refuse('channel_not_found', 'without', `No channel is compared as ${unknown.join(', ')}.`)
  const lacking = channelsLacking(compared, channels, lines, without)
  if (lacking.length === 0) return null
  const which = lacking.map(({ channelId, why }) => `${channelId} ${why}`).join('; ')
  const mend = 'Compare first: gateway recovery compare. Or leave a channel out by name, and say why in the evidence.'
  return refuse('recovery_not_compared', null, `${which}. ${mend}`)
}
