// Commands of the compiled command line in one thread, which loads it once, where a process for each would load it anew.
// A thread has an environment, an output and an exit code of its own: nothing of a command is left in the test's process.
// Signals, standard input and whether a command lets its process end are seen in a process only.
import { once } from 'node:events'
import { join } from 'node:path'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { Desk, Order, Ran } from './command-serving.ts'

export type CommandThread = {
  /** Sleeps until the command ends, as spawnSync does. */
  readonly run: (order: Order) => Ran
  /** Goes on meanwhile, for a test that serves what the command calls; one after another. */
  readonly runBeside: (order: Order) => Promise<Ran>
  readonly close: () => Promise<void>
}

const WITHIN_MS = 120_000

/** `cli` is the folder of the compiled command line. */
export function openCommandThread(cli: string): CommandThread {
  const { port1: port, port2 } = new MessageChannel()
  const answers = new Int32Array(new SharedArrayBuffer(4))
  const desk: Desk = { program: join(cli, 'main.js'), port: port2, answers }
  const serving = join(cli, '../../test/rig/command-serving.js')
  const thread = new Worker(serving, { env: {}, execArgv: [], workerData: desk, transferList: [port2] })
  let last: Promise<unknown> = Promise.resolve()
  let fault: unknown = null
  const closed = once(port, 'close')
  thread.on('error', (each) => {
    fault = each
    port.close()
  })

  const one = async (order: Order): Promise<Ran> => {
    port.postMessage(order)
    const [ran] = await Promise.race([once(port, 'message'), closed])
    if (ran === undefined) throw new Error(`the thread of the commands ended: ${String(fault)}`)
    return ran as Ran
  }
  return {
    run: (order) => {
      port.postMessage(order)
      for (;;) {
        // Read before it is looked for: an answer that comes after the look has been counted, and nothing sleeps past it.
        const counted = Atomics.load(answers, 0)
        const ran = receiveMessageOnPort(port)
        if (ran) return ran.message as Ran
        // Woken by the count of the answer before, which is raised after it was sent, it looks again and sleeps on.
        if (Atomics.wait(answers, 0, counted, WITHIN_MS) === 'timed-out')
          throw new Error(`no answer within ${WITHIN_MS} ms: ${order.words.join(' ')}`)
      }
    },
    runBeside: (order) => {
      const ran = last.then(() => one(order))
      last = ran.catch(() => undefined)
      return ran
    },
    close: async () => {
      port.close()
      await thread.terminate()
    },
  }
}
