// What providers send: what became of a transfer (callbacks of a channel), and payments (spec 4.11).
import Type, { type Static } from 'typebox'
import { open } from './shapes.ts'

export const CallbackBody = open(
  {
    id: Type.String({ maxLength: 255, description: 'The same however often it is told.' }),
    type: Type.String({ maxLength: 255, description: 'transfer.accepted, .completed, .failed or .returned.' }),
    created_at: Type.Union([Type.String(), Type.Number()]),
    data: open({
      object: Type.Record(Type.String(), Type.Unknown(), {
        description: '{rail, reference, amount, currency, status, code, message}, in the words of the provider.',
      }),
    }),
  },
  { $id: 'ChannelCallback' },
)

export type CallbackBody = Static<typeof CallbackBody>

export const CallbackReply = Type.Object({}, { $id: 'Received' })

/**
 * What the gateway calls money and events that it hears of without a provider: by asking, from a wallet, on a chain, of its
 * own transfers. A provider that used such a name first would keep the gateway from booking its own.
 */
const OUR_EVENTS = { pattern: '^(gateway|wallet|return|eip155):' } as const

const OUR_MONEY = { type: 'string', pattern: '^(wallet|return|event|eip155):' } as const

export const PaymentEventBody = open(
  {
    id: Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[ -~]*$',
      not: OUR_EVENTS,
      description: 'The id of the event: the same however often it is told.',
    }),
    type: Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^[ -~]*$',
      description:
        'payment_intent.succeeded, payment_intent.processing or payment_intent.failed. Others are only kept.',
    }),
    created_at: Type.Number({ description: 'Unix seconds.' }),
    data: open({
      object: open(
        { id: Type.Optional(Type.Unsafe<unknown>({ not: OUR_MONEY })) },
        {
          description:
            '{id, contract_id, amount, currency, status, channel, reference, fee?, failure?: {code, message}, payer?: {channel, recipient}}. Matched to a payment contract by contract_id, then by id, then by reference.',
        },
      ),
    }),
  },
  { $id: 'PaymentEvent' },
)

export type PaymentEventBody = Static<typeof PaymentEventBody>

export const PaymentEventReply = Type.Object({}, { $id: 'PaymentEventReceived' })
