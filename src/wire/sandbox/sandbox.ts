// The sandbox provider on the wire: its rails, its clock, and what it plays for the amounts and accounts that choose it.
import Type, { type Static } from 'typebox'
import {
  CLOCK_STEP_MAX_SECONDS,
  type PlayedOutcome,
  type ProviderClock,
  type SandboxStanding,
} from '../../domain/channel/sandbox.ts'
import { closed, envelope, nullable, time, type Wire } from '../shapes.ts'
import { iso, isoOrNull } from '../times.ts'

const Clock = Type.Object(
  {
    now: time('The provider’s time.'),
    offset_seconds: Type.Number({ description: 'How far it is ahead of the time of this machine.' }),
  },
  { $id: 'SandboxClock' },
)

const Outcome = Type.Object(
  {
    name: Type.String(),
    account: nullable(Type.String({ description: 'The account of a recipient that chooses it, whatever the amount.' })),
    amount_ends_in: nullable(
      Type.Integer({ description: 'The last two digits of an amount that choose it; null for every other amount.' }),
    ),
    summary: Type.String({ description: 'What happens, in a sentence.' }),
  },
  { $id: 'SandboxOutcome' },
)

const Rail = Type.Object(
  {
    rail: Type.String({ description: 'What scenarios and orders name it by.' }),
    channels: Type.Array(Type.String(), { description: 'The channels whose money goes through it.' }),
    outage: nullable(
      Type.Object(
        { kind: Type.String(), until: nullable(time('Null for until it is ended.')) },
        {
          description: 'That lasts now; null while the rail works.',
        },
      ),
    ),
  },
  { $id: 'SandboxRail' },
)

const Script = Type.Object(
  {
    id: Type.String(),
    created_at: time('When it was scripted, by the provider’s clock.'),
    played: Type.Integer({ description: 'How often it played.' }),
    scenario: Type.Object({}, { additionalProperties: true, description: 'As it was posted.' }),
  },
  { $id: 'SandboxScript' },
)

export const SandboxReply = envelope(
  'number',
  Type.Object({
    sandbox: Type.Object(
      {
        url: Type.String({ description: 'Where it is: on the machine of the gateway.' }),
        clock: Clock,
        rails: Type.Array(Rail),
        transfers: Type.Array(Outcome, { description: 'What amounts and accounts choose of transfers.' }),
        payments: Type.Array(Outcome, { description: 'What amounts choose of payments, and of refunds.' }),
        scripts: Type.Array(Script, {
          description: 'Scenarios that somebody scripted, newest first: the newest wins.',
        }),
      },
      { $id: 'Sandbox' },
    ),
  }),
)

export const ClockBody = closed(
  {
    advance_seconds: Type.Integer({
      minimum: 1,
      maximum: CLOCK_STEP_MAX_SECONDS,
      description: 'How far to move it forwards. It never goes back.',
    }),
  },
  { $id: 'SandboxClockMove' },
)
export type ClockBody = Static<typeof ClockBody>

export const ClockReply = envelope('number', Type.Object({ clock: Clock }))

export const presentClock = ({ nowMs, offsetSeconds }: ProviderClock): Wire<typeof Clock> => ({
  now: iso(nowMs),
  offset_seconds: offsetSeconds,
})

const presentOutcome = ({ name, account, ending, summary }: PlayedOutcome): Wire<typeof Outcome> => ({
  name,
  account,
  amount_ends_in: ending,
  summary,
})

export function presentSandbox(standing: SandboxStanding): Wire<typeof SandboxReply>['data']['sandbox'] {
  const { url, clock, rails, transfers, payments, scripts } = standing
  return {
    url,
    clock: presentClock(clock),
    rails: rails.map(({ rail, channels, outage }) => ({
      rail,
      channels,
      outage: outage && { kind: outage.kind, until: isoOrNull(outage.untilMs) },
    })),
    transfers: transfers.map(presentOutcome),
    payments: payments.map(presentOutcome),
    scripts: scripts.map(({ id, createdAtMs, played, asked }) => ({
      id,
      created_at: iso(createdAtMs),
      played,
      scenario: asked,
    })),
  }
}
