// One way to declare a command: its arguments, its options, what it runs, what it prints. The types of what `run` is given
// follow from the declaration. Commander reads the command line.
import { Argument, Command, Option } from 'commander'
import { type Call, call, placeOf } from './client.ts'
import { printJson } from './output.ts'

type Parse<T> = (text: string, before?: T) => T
type Makes<Made, Name extends readonly unknown[]> = { readonly make: (...name: Name) => Made }
/** An option. Its flag is the name that it has in its table: `toName` is --to-name. `gives` is its type and no value. */
export type Declared<T> = Makes<Option, [flag: string]> & { readonly gives?: T }
type Positional<T> = Makes<Argument, []> & { readonly gives?: T }
type Options = Readonly<Record<string, Makes<Option, [flag: string]>>>
type NoOptions = Readonly<Record<never, never>>
type Positionals = readonly Makes<Argument, []>[]

/** What the options of a table are in `run`. */
export type Values<O> = { readonly [K in keyof O]: O[K] extends Declared<infer T> ? T : never }
type Given<O> = Values<O> & { readonly json?: true }
type Words<A extends Positionals> = { readonly [I in keyof A]: A[I] extends Positional<infer T> ? T : never }

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

export const required = <T>({ make }: Declared<T | undefined>) =>
  declared<T>((name) => make(name).makeOptionMandatory(true))

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

/** `G` is what the options of its table are, and `R` what it results in. */
type Declaration<A, O, G, R, W extends readonly unknown[]> = {
  readonly examples: readonly string[]
  readonly arguments?: A
  readonly options?: O
  /** With --json; the result itself where nothing is said. */
  readonly json?: (result: R) => unknown
  /** Without --json. A command that has none prints while it runs. */
  readonly print?: (result: R, options: G, ...words: W) => void
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
  return built(commanded(name, description, declaration, declaration.options ?? {}), declaration, declaration.run)
}

type Helped = { readonly examples: readonly string[]; readonly arguments?: Positionals; readonly notes?: string }

/** The command as Commander knows it. */
function commanded(name: string, description: string, helped: Helped, options: Options): Command {
  const { examples, arguments: words = [], notes } = helped
  const made = new Command(name).description(description).option('--json', 'print JSON instead of text')
  for (const each of words) made.addArgument(each.make())
  for (const [member, { make }] of Object.entries(options))
    made.addOption(make(member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)))
  made.addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ ${example}`).join('\n')}`)
  return notes === undefined ? made : made.addHelpText('after', `\n${notes}`)
}

function built<A, O, G extends { readonly json?: true }, R, W extends readonly unknown[]>(
  made: Command,
  { json = (result) => result, print, failed }: Declaration<A, O, G, R, W>,
  run: Does<G, W, R | Promise<R>>,
): Command {
  return made.action(async (...all: unknown[]) => {
    // Commander ends with the options and the command itself.
    const options = all.at(-2) as G
    const words = all.slice(0, -2) as unknown as W
    const result = await run(options, ...words)
    if (print && options.json) printJson(json(result))
    else print?.(result, options, ...words)
    if (failed?.(result)) process.exitCode = 1
  })
}

/** Which gateway is meant, and as whom it is called. */
export const PLACE = {
  url: orEnvironment(option('<url>', 'the gateway (default: that of dev.json)'), 'GATEWAY_URL'),
  apiKey: orEnvironment(
    option('<key>', 'the key (default: that of dev.json); the environment keeps it out of "ps"'),
    'GATEWAY_API_KEY',
  ),
}

type AtPlace<O> = Given<O> & Values<typeof PLACE>

/** A command that is one call of the API: parse, call, print. With --json it prints the data of the reply as it came. */
export function apiCommand<R, const A extends Positionals = [], O extends Options = NoOptions>(
  name: string,
  description: string,
  declaration: { readonly call: Does<AtPlace<O>, Words<A>, Call> } & Declaration<A, O, AtPlace<O>, R, Words<A>>,
): Command {
  const made = commanded(name, description, declaration, { ...PLACE, ...declaration.options })
  return built(made, declaration, (options, ...words) => call<R>(placeOf(options), declaration.call(options, ...words)))
}

/** A word that only holds other commands. */
export function groupOf(name: string, description: string, commands: readonly Command[]): Command {
  const group = new Command(name).description(description)
  for (const each of commands) group.addCommand(each)
  return group
}
