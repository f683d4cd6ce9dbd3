// Starts a receiver of webhooks as a process of its own, from the sources as they are now, and speaks to its control port.
import { fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import type { Behaviour } from './receiver-behaviours.ts'
import type { Arrival, Order, Ports } from './receiver-process.ts'

export type { Behaviour } from './receiver-behaviours.ts'
export type { Arrival } from './receiver-process.ts'

export type Receiver = {
  /** Address without a path. */
  readonly url: string
  /** The same receiver behind a certificate that nobody vouches for. */
  readonly tlsUrl: string
  /** What it does with a path from now on; without an order of its own a path is `ok`. */
  readonly behave: (path: string, behaviour: Behaviour) => Promise<void>
  /** What it does with paths that have no order of their own. */
  readonly behaveElse: (behaviour: Behaviour) => Promise<void>
  /** All paths are ok from now on. */
  readonly heal: () => Promise<void>
  /** From now on the books hold headers and bodies. */
  readonly keepEverything: () => Promise<void>
  /** Empties the books. */
  readonly forget: () => Promise<void>
  /** Cuts all connections and listens no more, until it is opened again at the same port. */
  readonly closePort: () => Promise<void>
  readonly openPort: () => Promise<void>
  readonly arrivals: (path?: string) => Promise<Arrival[]>
  readonly count: (path?: string) => Promise<number>
  readonly stop: () => Promise<void>
}

const FILES = ['receiver-process', 'receiver-behaviours', 'self-signed']
// Also where this very file is a compiled one.
const SOURCES = join(process.cwd(), 'test/rig/receiver')
const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.ESNext,
  target: ts.ScriptTarget.ES2023,
  rewriteRelativeImportExtensions: true,
}

export async function startReceiver(): Promise<Receiver> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-receiver-'))
  for (const file of FILES) {
    const { outputText } = ts.transpileModule(readFileSync(join(SOURCES, `${file}.ts`), 'utf8'), {
      compilerOptions: OPTIONS,
    })
    writeFileSync(join(folder, `${file}.js`), outputText)
  }
  symlinkSync(join(process.cwd(), 'package.json'), join(folder, 'package.json'))
  const child = fork(join(folder, 'receiver-process.js'), [], { execArgv: [] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const { port, tlsPort, controlPort } = await new Promise<Ports>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Ports))
    child.once('exit', (code) => reject(new Error(`the receiver ended with ${code}`)))
  })
  // All of it is in the process's memory by now.
  rmSync(folder, { recursive: true, force: true })
  const control = `http://127.0.0.1:${controlPort}`
  const order = async (given: Order) => void (await asked(control, { method: 'POST', body: JSON.stringify(given) }))
  const query = (path: string | undefined) => (path === undefined ? '' : `?path=${encodeURIComponent(path)}`)
  return {
    url: `http://127.0.0.1:${port}`,
    tlsUrl: `https://127.0.0.1:${tlsPort}`,
    behave: (path, behaviour) => order({ kind: 'behave', path, behaviour }),
    behaveElse: (behaviour) => order({ kind: 'behave else', behaviour }),
    heal: () => order({ kind: 'heal' }),
    keepEverything: () => order({ kind: 'keep everything' }),
    forget: () => order({ kind: 'forget' }),
    closePort: () => order({ kind: 'close port' }),
    openPort: () => order({ kind: 'open port' }),
    arrivals: async (path) => (await asked(`${control}/arrivals${query(path)}`)) as Arrival[],
    count: async (path) => (await asked(`${control}/count${query(path)}`)) as number,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function asked(url: string, init: RequestInit = {}): Promise<unknown> {
  const answer = await fetch(url, init)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`the receiver's control port: ${answer.status} ${text}`)
  return JSON.parse(text)
}
