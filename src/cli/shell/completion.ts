// gateway completion: a script for the shell that completes commands, options and the choices of options. It is made of the
// commands as they are declared, so that the shell starts no gateway to complete a word.
import type { Command } from 'commander'
import { argument, command } from '../command.ts'
import { wordOf } from '../arguments.ts'
import { print } from '../output.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

/** The words that may follow those of `path`, and the values that may follow an option. */
type Place = {
  readonly path: string
  readonly words: readonly Offered[]
  readonly options: readonly (Offered & { readonly values: readonly string[] | null })[]
}
type Offered = { readonly word: string; readonly about: string }

type Known = { readonly name: string; readonly about: string; readonly load: () => Promise<Command> }

export const completionOf = (all: readonly Known[]) =>
  command('completion', 'print a script that completes words in bash, zsh or fish', {
    examples: [
      'source <(gateway completion bash)      (in ~/.bashrc)',
      'source <(gateway completion zsh)       (in ~/.zshrc)',
      'gateway completion fish > ~/.config/fish/completions/gateway.fish',
    ],
    arguments: [
      argument(
        '<shell>',
        SHELLS.join(', '),
        wordOf(`Choose from ${SHELLS.join(', ')}.`, (text) => SHELLS.find((shell) => shell === text)),
      ),
    ],
    run: async (_, shell) => ({ shell, script: SCRIPTS[shell](await places(all)) }),
    print: ({ script }) => print(script),
  })

async function places(all: readonly Known[]): Promise<Place[]> {
  const commands = await Promise.all(all.map(({ load }) => load()))
  const top = { path: '', words: all.map(({ name: word, about }) => ({ word, about })), options: [] }
  return [top, ...commands.flatMap((each) => placesOf(each, ''))]
}

function placesOf(made: Command, before: string): Place[] {
  const path = before === '' ? made.name() : `${before} ${made.name()}`
  const words = made.commands.map((each) => ({ word: each.name(), about: each.description() }))
  const options = made.options.map(({ long, description: about, argChoices, required, optional }) => {
    const takes = required || optional
    return { word: long ?? '', about, values: takes ? (argChoices ?? []) : null }
  })
  return [{ path, words, options }, ...made.commands.flatMap((each) => placesOf(each, path))]
}

const SCRIPTS: Readonly<Record<Shell, (places: readonly Place[]) => string>> = {
  bash: bashScript,
  // A .zshrc that is nearly empty has not begun with completion yet.
  zsh: (all) => `#compdef gateway
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i -D; }
autoload -U +X bashcompinit && bashcompinit
${bashScript(all)}`,
  fish: fishScript,
}

/** The path is what is written so far without options and what they take. */
function bashScript(all: readonly Place[]): string {
  const known = all.map(({ path, words, options }) => {
    const offered = [...words.map(({ word }) => word), ...options.map(({ word }) => word), '--help']
    return `    ${quoted(path)}) words=${quoted(offered.join(' '))} ;;`
  })
  const values = all.flatMap(({ path, options }) =>
    options.flatMap(({ word, values: taken }) =>
      taken === null ? [] : [`    ${quoted(`${path} ${word}`)}) values=${quoted(taken.join(' '))}; takes=1 ;;`],
    ),
  )
  return `# Completes the words of gateway (gateway completion bash).
_gateway_takes() {
  values='' takes=''
  case "$1" in
${values.join('\n')}
  esac
}
_gateway_words() {
  words=''
  case "$1" in
${known.join('\n')}
  esac
}
_gateway() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path='' words values takes i word longer
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [[ $word == -* ]]; then
      _gateway_takes "$path $word"
      [ -n "$takes" ] && ((i++))
      continue
    fi
    longer="\${path:+$path }$word"
    _gateway_words "$longer"
    [ -n "$words" ] && path="$longer"
  done
  COMPREPLY=()
  if [[ $previous == -* ]]; then
    _gateway_takes "$path $previous"
    if [ -n "$takes" ]; then
      COMPREPLY=($(compgen -W "$values" -- "$current"))
      return
    fi
  fi
  _gateway_words "$path"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _gateway gateway`
}

function fishScript(all: readonly Place[]): string {
  const lines = all.flatMap(({ path, words, options }) => {
    const where = `-n ${fishQuoted(`_gateway_at ${path}`.trim())}`
    const offered = words.map(({ word, about }) => `complete -c gateway -f ${where} -a ${word} -d ${fishQuoted(about)}`)
    const flags = options.map(({ word, about, values }) => {
      const takes = values === null ? '' : values.length === 0 ? ' -r' : ` -x -a ${fishQuoted(values.join(' '))}`
      return `complete -c gateway ${where} -l ${word.slice(2)}${takes} -d ${fishQuoted(about)}`
    })
    return [...offered, ...flags]
  })
  return `# Completes the words of gateway (gateway completion fish).
function _gateway_at
    set -l said (commandline -opc | string match -v -- '-*')
    test "$said[2..-1]" = "$argv"; or begin
        test (count $argv) -ge 2 -a (count $said) -ge 3; and test "$said[2..3]" = "$argv"
    end
end
${lines.join('\n')}`
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const fishQuoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
