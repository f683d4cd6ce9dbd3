// What takes the callbacks of channels, and what is counted and said of those that are not acted on.
import type { CallbackDeps } from '../app/transfers/callback-deps.ts'
import type { ReachCrashPoint } from '../engine/crash-points.ts'
import type { Log } from '../platform/log.ts'
import { isGenuine } from '../webhooks/receive.ts'
import type { Config } from './config/config.ts'
import type { Watching } from './telemetry/watching.ts'

type Grounds = { readonly config: Config; readonly watch: Watching; readonly log: Log }

export function callbackDeps(
  { config, watch: { metrics }, log }: Grounds,
  connectors: CallbackDeps['connectors'],
  crashPoint: ReachCrashPoint,
): CallbackDeps {
  const help = 'News of orders of ours that the books do not know.'
  const forgotten = metrics.counter('gateway_forgotten_orders_total', help, 'channel')
  const ignored = metrics.counter('gateway_callbacks_ignored_total', 'Signed callbacks that were ignored.', 'channel')
  return {
    connectors,
    secrets: config.callbackSecrets,
    isGenuine: (body, header, secrets) => isGenuine(body, header, secrets, Date.now()),
    ignored: (facts) => {
      ignored.inc({ channel: facts.channel })
      log.warn(facts, 'a signed callback is not acted on')
    },
    forgotten: (order) => {
      forgotten.inc({ channel: order.channel })
      log.error(
        order,
        'a channel tells of an order of ours that the books do not know: see docs/runbooks/GatewayOrderForgotten.md',
      )
    },
    crashPoint,
  }
}
