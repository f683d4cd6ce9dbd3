// How operators begin a recovery by hand, and end any: one says why the books fit what the rails did, another one confirms it.
import { endsRecovery, type Epoch, inRecovery } from '../../domain/recovery/epoch.ts'
import { type Refusal, refuse } from '../../domain/contract/refusals.ts'
import {
  beginEpoch,
  epochFrom,
  lockEpoch,
  newestEpoch,
  placeFrom,
  proposeResume,
  readPlace,
  resumeEpoch,
} from '../../store/operator/epochs.ts'
import { insertOperatorAction } from '../../store/operator/operator-actions.ts'
import { actionOf, type Deed, type OperatorDeps } from './operator-actions.ts'

type RecoveryDesk = Pick<OperatorDeps, 'reader' | 'ids'>

/** The newest epoch. */
export async function epochOf({ reader }: Pick<RecoveryDesk, 'reader'>): Promise<Epoch> {
  const [found] = await reader.send([newestEpoch()])
  if (!found?.rows[0]) throw new Error('the database has no epoch')
  return epochFrom(found.rows[0])
}

/**
 * Says that the database is older than what was done with it, where no mark can tell. Gateways at work on it end. The epoch
 * afterwards, whose number is above `noted`: no epoch that a mark knows is begun again. Refused where the gateway is in recovery already.
 */
export async function declareRecovery(desk: RecoveryDesk, deed: Deed, noted = 0): Promise<Epoch | Refusal> {
  const refusal = await desk.reader.transaction<Refusal | null>([newestEpoch(), readPlace()], ([newest, place]) => {
    const [epochRow, placeRow] = [newest?.rows[0], place?.rows[0]]
    if (!epochRow || !placeRow) throw new Error('the database does not say where it stands')
    const { number, resumedAt } = epochFrom(epochRow)
    const next = Math.max(number, noted) + 1
    const already = refuse(
      'already_in_recovery',
      null,
      'The gateway is in recovery already. See: gateway recovery status.',
    )
    if (resumedAt === null) return { statements: [], value: already }
    const action = actionOf(desk, 0, 'declare recovery', String(next), deed)
    const begin = beginEpoch(next, 'declared', null, placeFrom(placeRow))
    return { statements: [begin, insertOperatorAction(action)], value: null }
  })
  return refusal ?? epochOf(desk)
}

/**
 * The first person's word waits a day for the second one's; the same person's word again only renews it. The epoch
 * afterwards. Refused where the gateway is not in recovery.
 */
export async function resume(desk: RecoveryDesk, deed: Deed): Promise<Epoch | Refusal> {
  const { number } = await epochOf(desk)
  const none = refuse('not_in_recovery', null, 'The gateway is not in recovery: there is nothing to resume.')
  const refusal = await desk.reader.transaction<Refusal | null>([lockEpoch(number)], ([locked]) => {
    const row = locked?.rows[0]
    if (!row || !inRecovery(epochFrom(row))) return { statements: [], value: none }
    const epoch = epochFrom(row)
    const { operator, evidence } = deed
    if (!endsRecovery(epoch, operator, desk.ids.nowMs())) {
      const action = actionOf(desk, 0, 'propose resume', String(number), deed)
      return { statements: [proposeResume(number, operator, evidence), insertOperatorAction(action)], value: null }
    }
    const action = actionOf(desk, 0, 'resume', String(number), { ...deed, approvedBy: epoch.proposedBy ?? operator })
    return { statements: [resumeEpoch(number, operator), insertOperatorAction(action)], value: null }
  })
  return refusal ?? epochOf(desk)
}
