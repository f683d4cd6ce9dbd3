// What became of the deliveries of one contract's events, at every endpoint of its account: newest event first.
import type { DeliveryStatus } from '../../domain/webhook/delivery.ts'
import type { ContractDelivery } from '../../domain/webhook/shown.ts'
import { eventId } from '../../domain/contract/ids.ts'
import { ms } from '../../platform/columns.ts'
import type { Row, Statement } from '../../platform/db.ts'
import type { ContractKey } from '../contracts/documents.ts'
import { CONTRACT_STEPS, epochIn, epochOf } from '../contracts/events.ts'

/** The delivery that the page before ended with. */
export type ContractDeliveryPlace = {
  readonly position: number
  readonly endpointId: string
  readonly replay: number
}

/** One more than the limit, to tell whether there is a next page. A contract has few events, an account few endpoints. */
export function listContractDeliveries(
  { lane, accountId, id }: ContractKey,
  after: ContractDeliveryPlace | null,
  limit: number,
): Statement {
  const from = after ? [after.position, after.endpointId, after.replay] : []
  const beyond = after ? ' and (d.position, d.endpoint_id, d.replay) < ($5, $6, $7)' : ''
  return {
    name: `list_contract_deliveries${after ? '_after' : ''}`,
    text: `select d.position, d.replay, d.status, d.tries, ${ms('d.due_at')} as due_at, ${ms('d.created_at')} as created_at,
                  ${ms('d.updated_at')} as updated_at, h.event, h.contract_id, h.sequence, ${epochOf()} as epoch, d.endpoint_id, e.url,
                  e.status as endpoint_status, t.status_code, t.fault
             from ${CONTRACT_STEPS} h
             join webhook_endpoints e on e.lane = $1 and e.account_id = h.account_id
            cross join lateral (
                    select x.* from deliveries x
                     where x.lane = $1 and x.account_id = $2 and x.endpoint_id = e.id and x.position = h.position) d
             left join lateral (
                    select a.status_code, a.fault from delivery_attempts a
                     where a.lane = $1 and a.account_id = $2 and a.endpoint_id = d.endpoint_id and a.position = d.position
                       and a.replay = d.replay
                     order by a.number desc limit 1) t on true
            where h.lane = $1 and h.account_id = $2 and h.contract_id = $3 and h.version > 0 and h.event is not null${beyond}
            order by d.position desc, d.endpoint_id desc, d.replay desc
            limit $4`,
    values: [lane, accountId, id, limit + 1, ...from],
  }
}

export function contractDeliveryFrom(row: Row): ContractDelivery {
  const contractId = row['contract_id'] as string
  return {
    position: Number(row['position']),
    replay: row['replay'] as number,
    epoch: epochIn(row),
    event: row['event'] as string,
    contractId,
    eventId: eventId(contractId, row['sequence'] as number, epochIn(row)),
    sequence: row['sequence'] as number,
    status: row['status'] as DeliveryStatus,
    tries: row['tries'] as number,
    dueAt: row['due_at'] as number | null,
    createdAt: row['created_at'] as number,
    updatedAt: row['updated_at'] as number,
    endpointId: row['endpoint_id'] as string,
    url: row['url'] as string,
    isDeleted: row['endpoint_status'] === 'deleted',
    lastStatusCode: row['status_code'] as number | null,
    lastFault: row['fault'] as string | null,
  }
}
