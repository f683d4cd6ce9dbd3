// A command of as many rows as there may be: what the gateway that takes and works on it needs of memory. One runner for the test
// and for `npm run torture`.
import type pg from 'pg'
import { peakRssBytes } from '../../../bench/stage/usage.ts'
import { unsoundness } from '../books.ts'
import { openBulkStage, payoutsFile } from './bulk-stage.ts'

export type BulkSizeFigures = {
  readonly rows: number
  readonly sendSeconds: number
  readonly workSeconds: number
  readonly rowsPerSecond: number
  readonly resultsBytes: number
  /** Null where the system does not tell. */
  readonly peakRssBytes: number | null
  readonly findings: readonly string[]
}

/** What a gateway may need, however many rows there are. */
const RSS_BYTES_MAX = 300_000_000

export async function runBulkSize({ owner, rows }: { owner: pg.ClientConfig; rows: number }): Promise<BulkSizeFigures> {
  const stage = await openBulkStage(owner)
  try {
    const { url, pid } = await stage.start()
    const gateway = stage.client(url)
    const from = performance.now()
    const { id } = await gateway.commands.upload({ type: 'transfers.create', csv: payoutsFile(rows) })
    const sent = performance.now()
    await gateway.commands.start(id)
    const { command } = await gateway.commands.wait(id)
    const done = performance.now()
    let [resultsBytes, lines] = [0, 0]
    const file = await gateway.open({ method: 'GET', path: `/commands/${id}/rows`, query: { format: 'csv' } })
    const reader = (file.body as ReadableStream<Uint8Array>).getReader()
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      resultsBytes += read.value.length
      lines += read.value.reduce((count, byte) => (byte === 10 ? count + 1 : count), 0)
    }
    const findings: string[] = []
    const peak = peakRssBytes(pid)
    if (peak !== null && peak >= RSS_BYTES_MAX) findings.push(`the gateway needed ${peak} bytes`)
    if (command.progress.done !== rows) findings.push(`of ${rows} rows ${command.progress.done} are done`)
    if (lines !== rows + 1) findings.push(`the results have ${lines} lines`)
    findings.push(...(await unsoundness(owner)))
    const [sendSeconds, workSeconds] = [(sent - from) / 1000, (done - sent) / 1000]
    const rowsPerSecond = Math.round(rows / workSeconds)
    return { rows, sendSeconds, workSeconds, rowsPerSecond, resultsBytes, peakRssBytes: peak, findings }
  } finally {
    await stage.close()
  }
}

export const bulkSizeReport = ({ findings, ...figures }: BulkSizeFigures): string =>
  [`a command of many rows: ${JSON.stringify(figures)}`, ...findings.map((each) => `  ${each}`)].join('\n')
