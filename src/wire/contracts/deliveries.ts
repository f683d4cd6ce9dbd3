// The deliveries of a contract's events on the wire, with the endpoint of each and how its newest try ended.
import Type from 'typebox'
import type { ContractDelivery as DomainDelivery } from '../../domain/webhook/shown.ts'
import { envelope, nullable, nullableText, uuid, type Wire } from '../shapes.ts'
import { deliveryFields, presentDelivery } from '../webhook-delivery.ts'

export const ContractDelivery = Type.Object(
  {
    ...deliveryFields,
    endpoint_id: uuid('The webhook endpoint that it goes to.'),
    endpoint_url: Type.String({ description: 'The address of the endpoint today.' }),
    endpoint_deleted: Type.Boolean({ description: 'Nothing is sent there any more.' }),
    last_status_code: nullable(
      Type.Integer({ description: 'What the receiver answered to the newest try; null where it did not answer.' }),
    ),
    last_fault: nullable(Type.String({ description: 'What was wrong with the newest try.' })),
  },
  { $id: 'ContractDelivery' },
)

export const ContractDeliveriesReply = envelope(
  'number',
  Type.Object({ deliveries: Type.Array(ContractDelivery), next: nullableText }),
)

export function presentContractDelivery(delivery: DomainDelivery, livemode: boolean): Wire<typeof ContractDelivery> {
  return {
    ...presentDelivery(delivery, livemode),
    endpoint_id: delivery.endpointId,
    endpoint_url: delivery.url,
    endpoint_deleted: delivery.isDeleted,
    last_status_code: delivery.lastStatusCode,
    last_fault: delivery.lastFault,
  }
}
