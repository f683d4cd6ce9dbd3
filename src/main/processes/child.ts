// One process of several: a whole gateway that begins when its supervisor says so, and ends when it says so or is gone.
import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StopManner } from '../../http/connections/drain.ts'
import type { Config } from '../config/config.ts'
import { endsWithinMs } from '../config/doors.ts'
import { type RunningGateway, startGateway } from '../start.ts'
import type { RequestRecord } from '../../platform/telemetry/request-log.ts'
import type { Order, Question, Report } from './messages.ts'
import { type Answers, gatherer, openAsking, type Peers } from './peers.ts'
import { configAt, type Place } from './place.ts'

/** The supervisor's order to stop follows the signal that it got, too, within this. */
const ORDER_WITHIN_MS = 1000

/** Runs until the supervisor has it end. `explain` finds the words for a fault. */
export async function runChild(
  config: Config,
  explain: (fault: unknown) => { readonly code: string; readonly message: string },
): Promise<never> {
  const { begun, stopping, peers, ownFigures, onGone } = openOrders()
  const place = await Promise.race([begun, stopping.then(() => null)])
  if (place === null) process.exit(0)
  const starting = startGateway(configAt(config, place), () => undefined, { place, peers })
  const running = await Promise.race([starting, stopping]).catch((fault: unknown) => failed(explain(fault)))
  if (typeof running === 'string') process.exit(0)
  process.on('uncaughtException', (fault) => {
    running.log.fatal({ err: fault }, 'uncaught exception')
    process.exit(1)
  })
  const lanesWait = (fault: unknown) => running.log.warn({ err: fault }, 'the lanes of one that died wait')
  onGone((id) => void running.noteGone(id).catch(lanesWait))
  await say({ kind: 'ready', ready: readyOf(running) })
  void running.outdated.then((migration) => say({ kind: 'outdated', migration }))
  const manner = await stopping
  const isOver = await Promise.race([running.stop(manner).then(() => true), sleep(endsWithinMs(config.doors), false)])
  await say({ kind: 'last', figures: await ownFigures() })
  process.exit(isOver ? 0 : 1)
}

/** What the supervisor says, from now on, and what is said to it. */
function openOrders() {
  let stop: (manner: StopManner) => void = () => undefined
  let begin: (place: Place) => void = () => undefined
  let gone: (processId: string) => void = () => undefined
  let told: (accountIds: readonly string[]) => void = () => undefined
  let answers: Answers = { figures: async () => [], requestsOf: () => [] }
  const stopping = new Promise<StopManner>((resolve) => (stop = resolve))
  const begun = new Promise<Place>((resolve) => (begin = resolve))
  const { ask, answered } = openAsking((id, question) => void say({ kind: 'ask', id, question }))
  const answer = async (question: Question) =>
    question.about === 'figures' ? answers.figures() : answers.requestsOf(question.accountId)
  process.on('message', (order: Order) => {
    if (order.kind === 'begin') begin(order.place)
    else if (order.kind === 'stop') stop(order.manner)
    else if (order.kind === 'gone') gone(order.processId)
    else if (order.kind === 'told') told(order.accountIds)
    else if (order.kind === 'ping') void say({ kind: 'pong' })
    else if (order.kind === 'answer') answered(order.id, order.value)
    // Who asks waits for no more than a moment: where there is no answer, none is said.
    else
      void answer(order.question).then(
        (value) => say({ kind: 'answer', id: order.id, value }),
        () => undefined,
      )
  })
  endWith(stop)
  void say({ kind: 'here' })
  const peers: Peers = {
    figures: async () => (await ask({ about: 'figures' })) as string,
    requestsOf: async (accountId) => (await ask({ about: 'requests', accountId })) as RequestRecord[][],
    tell: gatherer((accountIds) => void say({ kind: 'told', accountIds })),
    onTold: (callback) => (told = callback),
    onAsked: (given) => (answers = given),
  }
  const onGone = (callback: typeof gone) => void (gone = callback)
  return { stopping, begun, peers, ownFigures: () => answers.figures(), onGone }
}

/** By whom this process is ended beside the supervisor's order. */
function endWith(stop: (manner: StopManner) => void): void {
  // A terminal sends its signals to all of its processes, and the supervisor says what follows from them.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
  // Whether all of them were sent it, as systemd may do, or this one alone, the supervisor knows: in the first case it says so.
  process.on('SIGTERM', () => setTimeout(stop, ORDER_WITHIN_MS, 'for others'))
  cluster.worker?.once('disconnect', () => {
    // Without this Node ends the process at once, with all that is under way.
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
    stop('for others')
  })
}

const readyOf = ({ processId, url, port, publicUrl, development, inRecovery }: RunningGateway) => ({
  processId,
  url,
  port,
  publicUrl,
  development,
  inRecovery,
})

/** Nobody listens where the supervisor is gone. */
async function say(report: Report): Promise<void> {
  if (!process.connected) return
  await new Promise<void>((resolve) => process.send?.(report, undefined, undefined, () => resolve()))
}

async function failed({ code, message }: { readonly code: string; readonly message: string }): Promise<never> {
  await say({ kind: 'failed', code, message })
  process.exit(1)
}
