// How a recovery ends: one operator says why the books fit what the rails did, and another one confirms it.
import { endsRecovery, type Epoch, inRecovery } from '../../domain/recovery/epoch.ts'
import { type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { epochFrom, lockEpoch, newestEpoch, proposeResume, resumeEpoch } from '../../store/operator/epochs.ts'
import { insertOperatorAction } from '../../store/operator/operator-actions.ts'
import { actionOf, type Deed, type OperatorDeps } from '../operator/operator-actions.ts'

type RecoveryDesk = Pick<OperatorDeps, 'reader' | 'ids'>

/** The newest epoch. */
export async function epochOf({ reader }: Pick<RecoveryDesk, 'reader'>): Promise<Epoch> {
  const [found] = await reader.send([newestEpoch()])
  if (!found?.rows[0]) throw new Error('the database has no epoch')
  return epochFrom(found.rows[0])
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
