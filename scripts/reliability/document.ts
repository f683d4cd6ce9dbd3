// npm run reliability -- [--short] [--only NAME ...] [--seed 7]: runs the experiments one after another and writes what came of them to
// RELIABILITY.md. What was not run keeps what stands there. Ends with 1 when any of them found something.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { newSeed } from '../../test/rig/dice.ts'
import { type Experiment, EXPERIMENTS } from './experiments.ts'
import { TESTED } from './tests.ts'

const PLACE = 'RELIABILITY.md'
const LINES_MAX = 14
const LINE_MAX = 600

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    seed: { type: 'string' },
  },
})
const seed = Number(values.seed ?? newSeed())
const unknown = values.only.filter((name) => !EXPERIMENTS.some((each) => each.name === name))
if (unknown.length > 0 || !Number.isSafeInteger(seed)) {
  const names = EXPERIMENTS.map(({ name }) => `"${name}"`).join(', ')
  console.error(`usage: npm run reliability -- [--short] [--seed 7] [--only NAME ...]\nnames: ${names}`)
  process.exit(2)
}

let isSound = true
for (const experiment of EXPERIMENTS) {
  if (values.only.length > 0 && !values.only.includes(experiment.name)) continue
  console.log(`== ${experiment.name}: ${experiment.tried}`)
  const section = await sectionOf(experiment)
  const sections = { ...sectionsIn(existsSync(PLACE) ? readFileSync(PLACE, 'utf8') : ''), [experiment.name]: section }
  // After each, so that what has run is kept where a later one is stopped.
  writeFileSync(PLACE, documentOf(sections))
}
process.exitCode = isSound ? 0 : 1

async function sectionOf({ name, tried, promised, script, short, full }: Experiment): Promise<string> {
  const seeded = script === 'mutants' ? [] : ['--seed', String(seed)]
  const words = [...(values.short ? short : full), ...seeded]
  const began = Date.now()
  const [code, said] = await run(script, words)
  if (code !== 0) isSound = false
  const minutes = Math.max(1, Math.round((Date.now() - began) / 60_000))
  const lines = said
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('>') && !line.startsWith('npm '))
    .slice(-LINES_MAX)
    .map((line) => line.slice(0, LINE_MAX))
  return [
    `## ${name}`,
    '',
    `Tried: ${tried}.`,
    '',
    `Promised: ${promised}.`,
    '',
    `\`npm run ${script} -- ${words.join(' ')}\`, ${minutes} min, ${new Date(began).toISOString().slice(0, 10)}, ${versionOf()}, ${machineOf()}: **${code === 0 ? 'held' : 'found something'}**.`,
    '',
    '```text',
    ...lines,
    '```',
    '',
  ].join('\n')
}

function run(script: string, words: readonly string[]): Promise<readonly [number, string]> {
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', script, '--', ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal))
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      process.stdout.write(chunk)
    })
    child.once('exit', (code) => resolve([code ?? 1, said]))
  })
}

function versionOf(): string {
  const { stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' })
  return stdout.trim() === '' ? 'no commit' : `commit ${stdout.trim()}`
}
function machineOf(): string {
  return `${cpus().length} cores, ${Math.round(totalmem() / 1024 ** 3)} GiB`
}

/** What stands in the document under each name. */
function sectionsIn(text: string): Record<string, string> {
  const parts = text.split(/^(?=##? )/m).filter((part) => part.startsWith('## '))
  return Object.fromEntries(parts.map((part) => [part.slice(3, part.indexOf('\n')).trim(), `${part.trimEnd()}\n`]))
}

function documentOf(sections: Readonly<Record<string, string>>): string {
  const head = [
    '# Reliability',
    '',
    'What was done to the gateway to break it, what must hold meanwhile, and what came of it. Written by `npm run reliability`',
    '(`--short` for the short forms, `--only NAME` for one); each section names the command that repeats it. Figures are of the machine',
    'they name, with other work on it or without; what counts is what was found.',
    '',
  ]
  const known = EXPERIMENTS.flatMap(({ name }) => sections[name] ?? [])
  const rows = TESTED.map(([what, file]) => `| ${what} | [\`${file}\`](${file}) |`)
  const tested = ['# What is tried with every change', '', '| what | where |', '|---|---|', ...rows, '']
  return [...head, ...tested, '# What was run at length', '', known.join('\n')].join('\n')
}
