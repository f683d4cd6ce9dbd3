// The load generator's process: takes one plan, carries it out and reports what it saw. It ends with its parent.
import { openDrivers } from './load-drivers.ts'
import { openCounting } from './load-tally.ts'
import type { LoadReport, Plan } from '../plan.ts'

const report = (message: LoadReport) => void process.send?.(message)

function fail(message: string): void {
  report({ kind: 'fault', message })
  process.disconnect()
}

const LOOK_MS = 20

async function carryOut(plan: Plan): Promise<void> {
  const counting = openCounting()
  let isMeasuring = false
  const drivers = await openDrivers(plan, counting, fail)
  const over = () => {
    if (counting.isOver()) return
    counting.finish()
    report({ kind: 'over' })
  }
  const window = setTimeout(() => {
    isMeasuring = true
    counting.measure()
    report({ kind: 'measuring' })
  }, plan.warmupMs)
  // A window in which nothing has ended yet lasts until something has: on a slow machine one unit may take longer than a short window.
  const due = () => {
    if (counting.units() === 0) end = setTimeout(due, LOOK_MS)
    else over()
  }
  let end = setTimeout(due, plan.warmupMs + plan.measureMs)
  await drivers.run()
  clearTimeout(window)
  clearTimeout(end)
  if (!isMeasuring) return fail('the list ran out before the warm-up was over')
  over()
  report({ kind: 'done', tally: counting.result(drivers.listUsed()) })
}

process.once('disconnect', () => process.exit(0))
process.once('message', (plan) => {
  carryOut(plan as Plan).catch((fault: unknown) => fail(fault instanceof Error ? fault.message : String(fault)))
})
