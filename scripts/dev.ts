// npm run dev: compiles in watch, runs the gateway of this directory and starts it again whenever what it is made of has
// changed, with its log in words. While a type is wrong the last gateway goes on. Ctrl-C ends all of it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { createInterface } from 'node:readline'
import { inWords } from './log-in-words.ts'

/** The configurations of `npm run build`. */
const BUILDS = ['tsconfig.build.json', 'pay/tsconfig.json']
const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const unfinished = new Set(BUILDS)
let gateway: ChildProcess | null = null
let starts = 0
let isDue = false
let isEnding = false
let restarting: Promise<void> | null = null

const compilers = BUILDS.map(compiled)
watch('db/migrations', restart)
for (const signal of END_SIGNALS) process.on(signal, () => void end(0))

function compiled(project: string): ChildProcess {
  const words = ['node_modules/.bin/tsc', '-p', project, '--watch', '--preserveWatchOutput']
  // A group of its own: the program behind tsc's launcher would outlive a signal to the launcher alone.
  const compiler = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  createInterface(compiler.stdout).on('line', (line) => {
    if (/tarting .*compilation/.test(line)) unfinished.add(project)
    else if (line.includes('Found 0 errors')) {
      unfinished.delete(project)
      if (unfinished.size === 0) restart()
    } else if (line.trim() !== '') console.error(line)
  })
  compiler.once('exit', (code) => {
    if (!isEnding) console.error(`The compiler of ${project} ended (exit code ${code}).`)
    void end(1)
  })
  return compiler
}

/** What changes while the old one stops is in the new one; what changes later is the reason for the next. */
function restart(): void {
  isDue = true
  restarting ??= restarted().finally(() => (restarting = null))
}

async function restarted(): Promise<void> {
  while (isDue && !isEnding) {
    await stopped()
    isDue = false
    if (!isEnding) gateway = started()
  }
}

/** The first start says what a newcomer needs, the others only that they are there. */
function started(): ChildProcess {
  const began = performance.now()
  const isFirst = starts++ === 0
  const words = ['bin/gateway.js', 'start']
  const child = spawn(process.execPath, words, { stdio: ['ignore', isFirst ? 'inherit' : 'pipe', 'pipe'] })
  child.stdout?.once('data', () => {
    console.log(`Gateway started again  (${((performance.now() - began) / 1000).toFixed(1)} s)`)
  })
  if (child.stderr) createInterface(child.stderr).on('line', (line) => console.error(inWords(line)))
  child.once('exit', (code, signal) => {
    if (child === gateway)
      console.error(`The gateway ended (${signal ?? `exit code ${code}`}). A change starts it again.`)
  })
  return child
}

async function stopped(): Promise<void> {
  const child = gateway
  gateway = null
  if (!child || !isRunning(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

async function end(code: number): Promise<void> {
  if (isEnding) return
  isEnding = true
  await restarting
  await stopped()
  for (const compiler of compilers)
    if (isRunning(compiler) && compiler.pid !== undefined) process.kill(-compiler.pid, 'SIGTERM')
  process.exit(code)
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}
