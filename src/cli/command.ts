// One way to declare a command: its arguments, its options, what it runs, what it prints. The types of what `run` is given
// follow from the declaration. Commander reads the command line.
import { Argument, Command, Option } from 'commander'
import { isUuid } from '../domain/contract/ids.ts'
import { type Call, call } from './client.ts'
import { agreed, noteLive, type Question } from './confirm.ts'
import { printJson } from './output.ts'
import { isLiveKey, type PlaceOptions, placeOf } from './place.ts'
import { type Noun, someId, wholeId } from './short-ids.ts'
import { showTimesIn } from './times.ts'

type Parse<T> = (text: string, before?: T) => T
/** `noun`: it is the id of one, which may be given by its beginning or end. */
type Makes<Made, Name extends readonly unknown[]> = { readonly make: (...name: Name) => Made; readonly noun?: Noun }
/** An option. Its flag is the name that it has in its table: `toName` is --to-name. `gives` is its type and no value. */
export type Declared<T> = Makes<Option, [flag: string]> & { readonly gives?: T }
type Positional<T> = Makes<Argument, []> & { readonly gives?: T }
export type Options = Readonly<Record<string, Makes<Option, [flag: string]>>>
type NoOptions = Readonly<Record<never, never>>
export type Positionals = readonly Makes<Argument, []>[]

/** What the options of a table are in `run`. */
export type Values<O> = { readonly [K in keyof O]: O[K] extends Declared<infer T> ? T : never }
type Given<O> = Values<O> & { readonly json?: true }
/** What every command takes. */
type Common = { readonly json?: true; readonly utc?: true; readonly yes?: true }
export type Words<A extends Positionals> = { readonly [I in keyof A]: A[I] extends Positional<infer T> ? T : never }

/** `--flag <value>`; undefined where it is not given. */
export function option(value: string, description?: string): Declared<string | undefined>
export function option<T>(value: string, description: string, parse: Parse<T>): Declared<T | undefined>
export function option<T>(value: string, description = '', parse?: Parse<T>): Declared<T | undefined> {
  return declared((flag) => {
    const made = new Option(`--${flag} ${value}`, description)
    return parse ? made.argParser(parse) : made
  })
}

export const choice = <const T extends string>(value: string, description: string, of: readonly T[]) =>
  declared<T | undefined>((flag) => new Option(`--${flag} ${value}`, description).choices(of))

/** `--flag` alone. */
export const flag = (description: string) => declared<true | undefined>((name) => new Option(`--${name}`, description))

/** `--flag <id>` of a noun, which may be given by its beginning or end. */
export const idOption = (value: string, description: string, noun: Noun): Declared<string | undefined> => ({
  ...option(value, description, someId),
  noun,
})

export const required = <T>({ make, noun }: Declared<T | undefined>): Declared<T> => ({
  make: (name) => make(name).makeOptionMandatory(true),
  ...(noun && { noun }),
})

export const withDefault = <T>({ make }: Declared<T | undefined>, value: T) =>
  declared<T>((name) => make(name).default(value))

export const orEnvironment = <T>({ make }: Declared<T>, variable: string) =>
  declared<T>((name) => make(name).env(variable))

const declared = <T>(make: (flag: string) => Option): Declared<T> => ({ make })

/** A word at its place: `<name>`, or `[name]` for one that may be left out. */
export function argument<N extends string, T = string>(
  name: N,
  description: string,
  parse?: Parse<T>,
): Positional<N extends `[${string}` ? T | undefined : T> {
  return {
    make: () => {
      const made = new Argument(name, description)
      return parse ? made.argParser(parse) : made
    },
  }
}

/** The id of a noun at its place, which may be given by its beginning or end. */
export const idArgument = <N extends string>(name: N, description: string, noun: Noun) => ({
  ...argument(name, description, someId),
  noun,
})

/** `G` is what the options of its table are, and `R` what it results in. */
type Declaration<A, O, G, R, W extends readonly unknown[]> = {
  readonly examples: readonly string[]
  readonly arguments?: A
  readonly options?: O
  /** With --json; the result itself where nothing is said. */
  readonly json?: (result: R) => unknown
  /** Without --json. A command that has none prints while it runs. */
  readonly print?: (result: R, options: G, ...words: W) => void
  /** What is asked before it is done: it moves or makes money, ends access, or deletes. */
  readonly confirm?: (options: G, ...words: W) => string | Promise<string>
  /** Where it is so with some options only. */
  readonly confirmWhere?: (options: G, ...words: W) => boolean
  /** Whether it ends with exit code 1 after it has printed. */
  readonly failed?: (result: R) => boolean
  /** Ends the help. */
  readonly notes?: string
}
type Does<G, W extends readonly unknown[], R> = (options: G, ...words: W) => R

/** A command: parse, run, print. Every one takes --json, and its help ends with examples. */
export function command<R, const A extends Positionals = [], O extends Options = NoOptions>(
  name: string,
  description: string,
  declaration: { readonly run: Does<Given<O>, Words<A>, R | Promise<R>> } & Declaration<A, O, Given<O>, R, Words<A>>,
): Command {
  const options = declaration.options ?? {}
  return built(commanded(name, description, declaration, options), declaration, options, declaration.run)
}

type Helped = {
  readonly examples: readonly string[]
  readonly arguments?: Positionals
  readonly notes?: string
  readonly print?: unknown
  readonly confirm?: unknown
}

/** The command as Commander knows it. */
function commanded(name: string, description: string, helped: Helped, options: Options): Command {
  const { examples, arguments: words = [], notes, confirm } = helped
  // Commander takes --no-x for "x is false", and never for an option of its own.
  const negated = Object.keys(options).find((member) => /^no[A-Z]/.test(member))
  if (negated !== undefined)
    throw new Error(`the option ${negated} of ${name} would be read as the opposite of another`)
  const made = new Command(name).description(description)
  for (const each of words) made.addArgument(each.make())
  for (const [member, { make }] of Object.entries(options)) made.addOption(make(flagOf(member)))
  if (confirm !== undefined) made.option('--yes', 'do it without asking')
  made.option('--json', 'print JSON instead of text').option('--utc', 'show times in UTC')
  made.addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ ${example}`).join('\n')}`)
  return notes === undefined ? made : made.addHelpText('after', `\n${notes}`)
}

const flagOf = (member: string) => member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function built<A extends Positionals, O, G, R, W extends readonly unknown[]>(
  made: Command,
  {
    json = (result) => result,
    print,
    failed,
    confirm,
    confirmWhere,
    arguments: positionals,
  }: Declaration<A, O, G, R, W>,
  table: Options,
  run: Does<G, W, R | Promise<R>>,
): Command {
  return made.action(async (...all: unknown[]) => {
    // Commander ends with the options and the command itself.
    const common = all.at(-2) as Common
    showTimesIn(common.utc ? 'utc' : 'local')
    const given = { ...common } as Record<string, unknown>
    const words = all.slice(0, -2)
    await completeIds(given, table, words, positionals ?? [])
    const options = given as G
    const rest = words as unknown as W
    if (confirm && (confirmWhere?.(options, ...rest) ?? true))
      await askFirst(() => confirm(options, ...rest), given, 'url' in table)
    const result = await run(options, ...rest)
    if (print && common.json) printJson(json(result))
    else print?.(result, options, ...rest)
    if (failed?.(result)) process.exitCode = 1
  })
}

/** Puts whole ids in the place of short ones. */
async function completeIds(
  options: Record<string, unknown>,
  table: Options,
  words: unknown[],
  positionals: Positionals,
): Promise<void> {
  const whole = (noun: Noun, value: unknown) =>
    typeof value === 'string' && value !== 'me' ? wholeIdAt(options, noun, value) : value
  for (const [place, { noun }] of positionals.entries()) if (noun) words[place] = await whole(noun, words[place])
  // An option that is not given stays away: commands look at which are there.
  for (const [member, { noun }] of Object.entries(table))
    if (noun && options[member] !== undefined) options[member] = await whole(noun, options[member])
}

async function wholeIdAt(options: PlaceOptions & { readonly gateway?: string }, noun: Noun, text: string) {
  // A whole one needs no gateway to be told.
  return isUuid(text) ? text : wholeId(placeOf({ ...options, url: options.gateway ?? options.url }), noun, text)
}

async function askFirst(
  about: () => string | Promise<string>,
  options: PlaceOptions & Common,
  isCall: boolean,
): Promise<void> {
  const isLive = isCall && isLiveKey(placeOf(options).apiKey)
  const question = async (): Promise<Question> => ({ about: await about(), isLive })
  await agreed(question, options.yes)
  if (options.yes) noteLive(isLive)
}

/** Which gateway is meant, and as whom it is called. */
export const PLACE = {
  url: option('<url>', 'the gateway (default: GATEWAY_URL, the login in use, or dev.json)'),
  apiKey: option('<key>', 'the key (default: GATEWAY_API_KEY, which "ps" does not show, or as the gateway)'),
  use: option('<login>', 'as this login (gateway login), this once'),
}

type AtPlace<O> = Given<O> & Values<typeof PLACE>

/** A command that is one call of the API: parse, call, print. With --json it prints the data of the reply as it came. */
export function apiCommand<R, const A extends Positionals = [], O extends Options = NoOptions>(
  name: string,
  description: string,
  declaration: { readonly call: Does<AtPlace<O>, Words<A>, Call> } & Declaration<A, O, AtPlace<O>, R, Words<A>>,
): Command {
  // One of them would name the gateway by mistake, and be sent the key.
  const taken = Object.keys(declaration.options ?? {}).find((each) => each in PLACE)
  if (taken !== undefined) throw new Error(`the option ${taken} of ${name} is that of every command`)
  const table = { ...declaration.options, ...PLACE }
  const made = commanded(name, description, declaration, table)
  return built(made, declaration, table, (options, ...words) =>
    call<R>(placeOf(options), declaration.call(options, ...words)),
  )
}

/** A word that only holds other commands. */
export function groupOf(name: string, description: string, commands: readonly Command[]): Command {
  const group = new Command(name).description(description)
  for (const each of commands) group.addCommand(each)
  return group
}
