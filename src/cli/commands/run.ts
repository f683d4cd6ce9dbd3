// gateway commands run: a CSV file as a command. It goes up in parts, is asked about, started and watched; whoever breaks off goes on
// with the same file, which is known by its hash, so that nobody is paid twice.
import { isForGood } from '../../../sdk/src/commands.ts'
import { type Command, type CommandRow, type Gateway, GatewayError } from '../../../sdk/src/index.ts'
import { type CommandType, ROW_TYPES } from '../../domain/command/command.ts'
import { argument, choice, command, flag, idOption, option, PLACE, withDefault } from '../command.ts'
import { failureOf, gatewayAt, get } from '../client.ts'
import { agreed, noteLive, refuseUnanswerable } from '../confirm.ts'
import { CommandFailed, Misused } from '../failures.ts'
import { openOutput, type OutputFile, refuseUnwritable, writeOutput } from '../output-file.ts'
import { note, paint } from '../output.ts'
import { isLiveKey, type Place, placeOf } from '../place.ts'
import { timeText } from '../times.ts'
import { type CsvFile, lookAt } from './file.ts'
import { noteWaiting, printFailures, printFlagged } from './rows-view.ts'
import { count, type Found, openSteps, printCommand, progressWords } from './view.ts'

const INTERRUPTED = 130
const ROWS_SHOWN = 20
const DEFAULT_TYPE = 'transfers.payout'

/** What is asked before a file is started; types that move nothing are not in it. */
const QUESTIONS: Partial<Record<CommandType, (rows: string, of: string) => string>> = {
  'transfers.payout': (rows, of) => `Pay ${rows} people${of}?`,
  'transfers.pay': (rows, of) => `Pay ${rows} contracts${of}?`,
  'transfers.cancel': (rows, of) => `Cancel ${rows} contracts${of}?`,
}

type Wanted = {
  readonly type: CommandType
  readonly dryRun: boolean
  readonly name: string | undefined
  readonly again: boolean
  readonly resume: string | undefined
}
type Result = Found & {
  readonly failures: readonly CommandRow[]
  readonly flagged: readonly CommandRow[]
  /** Why the file of results is not there; null where it is, or none was asked for. */
  readonly unwritten: string | null
}

export const run = command('run', 'do something for every row of a CSV file: pay them, by default', {
  examples: [
    'gateway commands run payouts.csv --dry-run',
    'gateway commands run payouts.csv --name "November salaries" --results paid.csv',
    'gateway commands run payouts.csv --resume 0198…   (after Ctrl-C, or a lost connection)',
    'gateway commands run ids.csv --type transfers.cancel --yes',
  ],
  arguments: [argument('<file>', 'its header names what the API names: amount, currency, recipient.name …')],
  options: {
    type: withDefault(choice('<type>', 'what is done with each row', ROW_TYPES), DEFAULT_TYPE),
    dryRun: flag('price and check every row, and write no contract'),
    name: option('<text>', 'what it is for'),
    results: option('<file>', 'write every row there as CSV, and what became of it'),
    detach: flag('start it, and do not wait for its end'),
    resume: idOption('<command>', 'go on with this command, made of the same file', 'command'),
    again: flag('once more, though this very file was run before'),
    yes: flag('do it without asking'),
    ...PLACE,
  },
  notes:
    'Exit code 0: every row was done; 1: rows failed, or it could not be run. Ctrl-C leaves what was started running.',
  run: async (options, path): Promise<Result> => {
    const { type, name, resume, results, detach, yes } = options
    const wanted = { type, name, resume, dryRun: options.dryRun === true, again: options.again === true }
    if (questionOf(type, wanted.dryRun)) refuseUnanswerable(yes)
    if (detach && results !== undefined)
      throw new Misused('results are there at the end: --detach does not wait for it.')
    const place = placeOf(options)
    const gateway = gatewayAt(place)
    const file = await lookAt(path)
    // A path that cannot be written is told before anybody is paid.
    if (results !== undefined) await refuseUnwritable(results)
    const made = await uploaded(gateway, place, file, wanted)
    // Whoever may not read rows hears of it before money moves, not after.
    if (results !== undefined)
      await answered(place, 'GET /commands/{id}/rows', () => gateway.commands.rows(made, { limit: 1 }).all(1))
    const asks = made.status === 'open' && questionOf(made.type, made.dry_run)
    if (asks) await askToStart(gateway, place, made, asks(count(file.rows), totalsOf(file)), yes)
    // After the answer, for who says no is left no empty file.
    const out = results === undefined ? null : await openOutput(results)
    if (made.status === 'open') await answered(place, 'PUT /commands/{id}/start', () => gateway.commands.start(made))
    const found = detach
      ? await answered(place, 'GET /commands/{id}', () => gateway.commands.get(made))
      : await watched(gateway, place, made)
    const rowsThat = (are: ShownRows) =>
      answered(place, 'GET /commands/{id}/rows', () => readableRows(gateway, made, are))
    const failures = (await rowsThat({ status: 'failed' })).slice(0, ROWS_SHOWN)
    const flagged = wanted.dryRun ? await rowsThat({ status: 'done', flagged: true }) : []
    const unwritten = out && (await unwrittenResults(place, made, out))
    return { ...found, failures, flagged, unwritten }
  },
  json: ({ unwritten, ...result }) => ({ ...result, ...(unwritten !== null && { results_error: unwritten }) }),
  print: (result) => {
    printCommand(result)
    printFlagged(result.command, result.flagged.slice(0, ROWS_SHOWN), result.flagged.length <= ROWS_SHOWN)
    printFailures(result.command, result.failures)
    if (result.unwritten !== null) note(result.unwritten)
  },
  failed: ({ command: { progress, status }, unwritten }) =>
    progress.failed > 0 || status === 'cancelled' || unwritten !== null,
})

/** What is asked before it is started; nothing where nothing moves. */
const questionOf = (type: CommandType, isDry: Command['dry_run']) => (isDry ? undefined : QUESTIONS[type])

const totalsOf = ({ name, totals }: CsvFile) =>
  totals.length === 0 ? ` of ${name}` : ` of ${name}, ${totals.join(' and ')} before fees`

type ShownRows = { status: 'failed' } | { status: 'done'; flagged: true }

/** The first rows of a kind; none for a key that may not read what rows hold, for what the command did is known without them. */
async function readableRows(gateway: Gateway, made: Command, are: ShownRows): Promise<CommandRow[]> {
  try {
    return await gateway.commands.rows(made, { ...are, limit: ROWS_SHOWN + 1 }).all(ROWS_SHOWN + 1)
  } catch (fault) {
    if (!(fault instanceof GatewayError) || fault.code !== 'scope_missing') throw fault
    note(`${fault.message} So no rows are shown.`)
    return []
  }
}

async function answered<T>(place: Place, what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (fault) {
    throw failureOf(what, place, fault)
  }
}

/** The command with all rows of the file, not started yet; or one of the same file that was started before and is named. */
async function uploaded(gateway: Gateway, place: Place, file: CsvFile, wanted: Wanted): Promise<Command> {
  const { type, dryRun, name, resume } = wanted
  const known = await answered(place, 'GET /commands', () =>
    gateway.commands.list({ reference: file.reference, limit: 100 }).all(),
  )
  const before = resume === undefined ? unfinished(known, wanted) : named(known, resume, file, wanted)
  if (before && (before.status !== 'open' || before.progress.total === file.rows)) return before
  if (before) note(`Going on with the command ${before.id}: ${count(before.progress.total)} rows are there.`)
  let made: Command | null = before
  const steps = openSteps()
  try {
    return await untilInterrupted((signal) =>
      gateway.commands.upload(
        { type, description: name, reference: file.reference, csv: file.open(), command: before?.id },
        {
          dryRun,
          signal,
          // Whoever starts the same file at the same moment gets the same command.
          idempotencyKey: `${file.reference}-${type}-${dryRun ? 'dry' : 'real'}-${known.length}`,
          onProgress: ({ command: now, rows }) => {
            made = now
            steps.show(rows, file.rows, `${count(rows)} of ${count(file.rows)} rows sent`)
          },
        },
      ),
    )
  } catch (fault) {
    throw brokenOff(fault, place, file, made)
  } finally {
    steps.end()
  }
}

/** What a file's upload ended with: what is wrong with it, or how to go on. */
function brokenOff(fault: unknown, place: Place, { path, name }: CsvFile, made: Command | null): unknown {
  const isOpen = fault instanceof Interrupted || (fault instanceof GatewayError && !isForGood(fault))
  if (fault instanceof GatewayError && fault.errors.length > 0 && !isOpen)
    return new CommandFailed(
      [`${name} was not taken, and nothing was done:`, ...fault.errors.map(({ message }) => `  ${message}`)].join('\n'),
    )
  if (!isOpen || made === null) return failureOf('POST /commands', place, fault)
  const { message } = failureOf('POST /commands', place, fault) as Error
  const on = `${count(made.progress.total)} rows are there, and nothing was started. Go on: gateway commands run ${path} --resume ${made.id}${flagsOf(made)}`
  if (fault instanceof Interrupted) return interrupted(on)
  return new CommandFailed(`${message}\n${on}`)
}

/** An upload of the same file that broke off. Throws where the file was run: nobody is to be paid twice by mistake. */
function unfinished(known: readonly Command[], { type, dryRun, again }: Wanted): Command | null {
  const same = known.filter((each) => each.type === type && each.dry_run === dryRun)
  const ran = same.find(({ status, progress }) => status !== 'open' && (status !== 'cancelled' || progress.done > 0))
  if (ran && !dryRun && !again) {
    const { id, created_at: at, progress } = ran
    const failed = progress.failed > 0 ? `Rows that failed: gateway commands failed ${id}. ` : ''
    const goOn = ran.ended_at === null ? `Watch it: gateway commands run … --resume ${id}${flagsOf(ran)}. ` : ''
    throw new CommandFailed(
      `This very file was run before, on ${timeText(at)}, as ${id} (${progressWords(progress)}). ${goOn}${failed}To do all of it once more: --again`,
    )
  }
  // One that is being cancelled was run all the same: it has paid, and finishes what is under way. No upload goes on with it.
  return same.find(({ status, cancelling }) => status === 'open' && !cancelling) ?? null
}

/** Said again where a command is gone on with: without them it would be asked about, and done, as what it is not. */
const flagsOf = ({ type, dry_run: isDry }: Command) =>
  `${type === DEFAULT_TYPE ? '' : ` --type ${type}`}${isDry ? ' --dry-run' : ''}`

/** The command that is named, where it is what the words say: whoever says --dry-run starts no payment by the name of one. */
function named(known: readonly Command[], id: string, { name }: CsvFile, { type, dryRun }: Wanted): Command {
  const found = known.find((each) => each.id === id)
  if (!found)
    throw new CommandFailed(
      `The command ${id} was not made of ${name} as it is now. Give the very file that it was made of.`,
    )
  if (found.type === type && found.dry_run === dryRun) return found
  const is = `${found.dry_run ? 'a dry run' : 'no dry run'} of ${found.type}`
  throw new Misused(`The command ${id} is ${is}. Go on with it by: --resume ${id}${flagsOf(found)}`)
}

/** A command that nobody agrees to is cancelled; one that somebody else has started meanwhile, with the same file, is not. */
async function askToStart(
  gateway: Gateway,
  place: Place,
  made: Command,
  about: string,
  yes: true | undefined,
): Promise<void> {
  const isLive = isLiveKey(place.apiKey)
  try {
    await agreed(() => ({ about, isLive }), yes)
  } catch (fault) {
    await gateway.commands.cancelIfOpen(made).catch(() => undefined)
    throw fault
  }
  if (yes) noteLive(isLive)
}

async function watched(gateway: Gateway, place: Place, { id }: Command): Promise<Found> {
  const steps = openSteps()
  let isTold = false
  try {
    return await untilInterrupted((signal) =>
      gateway.commands.wait(id, {
        signal,
        onProgress: (now) => {
          const { progress, status } = now
          const words = status === 'paused' ? `paused: ${progressWords(progress)}` : progressWords(progress)
          steps.show(progress.total - progress.left - progress.waiting, progress.total, words)
          if (isTold || status !== 'running' || progress.waiting === 0 || progress.left > 0) return
          isTold = true
          steps.aside(() => noteWaiting(now))
        },
        onAway: ({ code }) => steps.show(0, 1, `nobody answers (${code}); still asking`),
      }),
    )
  } catch (fault) {
    if (!(fault instanceof Interrupted)) throw failureOf('GET /commands/{id}', place, fault)
    steps.end()
    return interrupted(`The command goes on without you: gateway commands get ${id} (or pause, or cancel).`)
  } finally {
    steps.end()
  }
}

class Interrupted extends Error {}

/** Ctrl-C ends the work; another one the process. */
async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const end = () => stop.abort(new Interrupted('Interrupted.'))
  process.once('SIGINT', end)
  try {
    return await work(stop.signal)
  } finally {
    process.off('SIGINT', end)
  }
}

function interrupted(words: string): never {
  process.stderr.write(`\n${paint('yellow', 'Interrupted.')} ${words}\n`)
  process.exit(INTERRUPTED)
}

/** Writes what became of every row; or why it could not, for what was done is told all the same. */
async function unwrittenResults(place: Place, { id }: Command, out: OutputFile): Promise<string | null> {
  const mend = `Every row, and what became of it: gateway commands results ${id} --all --csv`
  try {
    await writeOutput(place, get(`/commands/${id}/rows`, { format: 'csv' }), out, mend)
  } catch (fault) {
    if (!(fault instanceof CommandFailed)) throw fault
    return fault.message.includes(mend) ? fault.message : `${fault.message}\n${mend}`
  }
  note(`${out.path} has every row, and what became of it.`)
  return null
}
