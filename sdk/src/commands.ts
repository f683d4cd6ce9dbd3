// Commands from files of any size: rows or a CSV text go up in parts, in bounded memory, and then are waited for. The same part
// again changes nothing at the gateway, so what broke off is simply sent again.
import { withNumbers } from './amounts.ts'
import type { Calls } from './calls.gen.ts'
import type { Ref } from './contracts.ts'
import { type CsvRecord, type CsvSource, recordsOf, unreadable } from './csv-records.ts'
import { GatewayError } from './errors.ts'
import { rest } from './rests.ts'
import type { CallOptions } from './transport.ts'
import type { Command, CommandRequest, CommandRowsRequest, CommandSum } from './types.gen.ts'

/** Rows one by one. Amounts are decimal text or numbers, as everywhere. */
type RowSource = Iterable<Readonly<Record<string, unknown>>> | AsyncIterable<Readonly<Record<string, unknown>>>

export type CommandUpload = Omit<CommandRequest, 'rows' | 'csv' | 'dry_run'> &
  ({ readonly rows: RowSource; readonly csv?: undefined } | { readonly csv: CsvSource; readonly rows?: undefined }) & {
    /** Goes on with a command whose upload broke off. It takes the same rows again, and refuses others. */
    readonly command?: Ref | undefined
  }

export type UploadProgress = {
  readonly command: Command
  /** Rows that are there, and bytes of the CSV that were read for them. */
  readonly rows: number
  readonly bytes: number
}

export type UploadOptions = Pick<CallOptions, 'idempotencyKey' | 'signal' | 'timeoutMs' | 'retriesMax'> & {
  /** Prices and checks every row, and writes no contract. */
  readonly dryRun?: boolean | undefined
  /** Told when the command is made, and after every part. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined
}

type Found = { readonly command: Command; readonly sums: readonly CommandSum[] }

export type CommandWaitOptions = {
  readonly signal?: AbortSignal | undefined
  /** How often it asks at the least. Default: 2,000. */
  readonly pollMs?: number | undefined
  /** Told of every look at it. */
  readonly onProgress?: ((command: Command) => void) | undefined
  /** Told when nobody answers. It goes on asking. */
  readonly onAway?: ((error: GatewayError) => void) | undefined
}

export type CommandRunning = {
  /**
   * Makes a command and brings it all its rows; it stands open, and nothing is done yet. A row that the gateway does not take
   * cancels it. An abort, a gateway that is away for long, or an answer that is not about the rows (a proxy's, or that the credential
   * may not do this) leaves it open: go on with `command`. Under the idempotency key of an earlier upload it is that one's command:
   * it takes the same rows again, refuses others, and is left alone once it was started.
   */
  readonly upload: (what: CommandUpload, options?: UploadOptions) => Promise<Command>
  /** The same, and starts it. Its rows' results: `commands.rows(id)`. */
  readonly run: (what: CommandUpload, options?: UploadOptions) => Promise<Command>
  /**
   * Cancels a command that nobody has started. One that was started goes on; it is given as it stands. The look and the cancel are
   * two requests: a command that somebody starts between them, within one round trip, is cancelled as one that runs is.
   */
  readonly cancelIfOpen: (
    id: Ref,
    options?: Pick<CallOptions, 'signal' | 'timeoutMs' | 'retriesMax'>,
  ) => Promise<Command>
  /** The command, and what its rows come to, once it has ended. One that waits for people may take days: give a signal. */
  readonly wait: (id: Ref, options?: CommandWaitOptions) => Promise<Found>
}

/** What one request brings: well within what the gateway takes of bytes, rows and members. */
const PART_BYTES = 600_000
const PART_ROWS = 2000
/** A restart of the gateway is sat out. */
const RETRIES_MAX = 8
const POLL_MS = 2000
const FIRST_POLL_MS = 250

export function openCommands(commands: Calls['commands']): CommandRunning {
  const cancelIfOpen: CommandRunning['cancelIfOpen'] = async (id, options) => {
    const { command } = await commands.get(id, options)
    return command.status === 'open' ? commands.cancel(command, options) : command
  }
  const upload = async (what: CommandUpload, options: UploadOptions = {}) => {
    const { signal, timeoutMs, retriesMax = RETRIES_MAX, onProgress, dryRun = false, idempotencyKey } = options
    const call = { signal, timeoutMs, retriesMax }
    const { rows, csv, command: known, ...wanted } = what
    let command = known === undefined ? null : (await commands.get(known, call)).command
    try {
      for await (const { body, bytes } of rows ? partsOfRows(rows) : partsOfCsv(csv)) {
        signal?.throwIfAborted()
        if (command === null) {
          command = await commands.create({ ...wanted, dry_run: dryRun }, { ...call, idempotencyKey })
          onProgress?.({ command, rows: 0, bytes: 0 })
        }
        command = await commands.addRows(command, body, call)
        onProgress?.({ command, rows: command.progress.total, bytes })
      }
    } catch (fault) {
      // A command of ours whose rows are no good ends: nobody will go on with it. Under a repeated key it is the one of before.
      if (command !== null && known === undefined && isForGood(fault))
        await cancelIfOpen(command, call).catch(() => undefined)
      throw fault
    }
    if (command !== null) return command
    throw unreadable('There is no row: a header is expected, and a row below it.')
  }
  return {
    upload,
    cancelIfOpen,
    run: async (what, options = {}) => {
      const { signal, timeoutMs, retriesMax = RETRIES_MAX } = options
      const command = await upload(what, options)
      return commands.start(command, { signal, timeoutMs, retriesMax })
    },
    wait: (id, options = {}) => waited(commands, id, options),
  }
}

/** Whether an upload that ended with this is ended for good: refused, or of a file that cannot be read. Otherwise its command is open, to go on with. */
export const isForGood = (fault: unknown) =>
  fault instanceof GatewayError && (fault.isRefusal || fault.code === 'invalid_csv')

async function waited(
  commands: Calls['commands'],
  id: Ref,
  { signal, pollMs = POLL_MS, onProgress, onAway }: CommandWaitOptions,
): Promise<Found> {
  for (let waitMs = FIRST_POLL_MS; ; waitMs = Math.min(waitMs * 2, pollMs)) {
    signal?.throwIfAborted()
    const found = await commands.get(id, { signal }).catch((fault: unknown) => {
      if (!(fault instanceof GatewayError) || !fault.mayPass || signal?.aborted) throw fault
      onAway?.(fault)
      return null
    })
    if (found) onProgress?.(found.command)
    if (found?.command.ended_at) return found
    await rest(Math.min(waitMs, pollMs), signal)
  }
}

type Part = { readonly body: CommandRowsRequest; readonly bytes: number }

const encoder = new TextEncoder()
/** As it will stand in the request. */
const bytesOf = (value: unknown) => encoder.encode(JSON.stringify(value)).length

async function* partsOfRows(rows: RowSource): AsyncGenerator<Part> {
  let part: unknown[] = []
  let [first, bytes] = [0, 0]
  for await (const row of rows) {
    const sent = withNumbers(row, ['amount'])
    const size = bytesOf(sent)
    if (part.length === PART_ROWS || (part.length > 0 && bytes + size > PART_BYTES)) {
      yield { body: { first, rows: part as Record<string, unknown>[] }, bytes: 0 }
      first += part.length
      ;[part, bytes] = [[], 0]
    }
    part.push(sent)
    bytes += size
  }
  if (part.length > 0) yield { body: { first, rows: part as Record<string, unknown>[] }, bytes: 0 }
}

/** Each part under the header of the whole, with how many lines of the file stood in between. */
async function* partsOfCsv(csv: CsvSource): AsyncGenerator<Part> {
  let header: CsvRecord | null = null
  let part: CsvRecord[] = []
  let [first, size, bytes] = [0, 0, 0]
  const taken = (): Part => {
    const [from] = part
    const holding = part.filter(({ holds }) => holds).length
    const text = [header, ...part].map((record) => record?.text).join('\n')
    const body = { first, csv: `${text}\n`, lines_before: (from?.line ?? 0) - linesOf(header) - 1 }
    first += holding
    ;[part, size] = [[], 0]
    return { body, bytes }
  }
  for await (const { record, bytes: read } of recordsOf(csv)) {
    if (header === null) {
      if (record.holds) header = record
      continue
    }
    const long = bytesOf(record.text)
    if (part.length === PART_ROWS || (part.length > 0 && size + long > PART_BYTES)) yield taken()
    part.push(record)
    size += long
    bytes = read
  }
  if (part.some(({ holds }) => holds)) yield taken()
}

const linesOf = (record: CsvRecord | null) => (record?.text ?? '').split(/\r\n|\r|\n/).length
