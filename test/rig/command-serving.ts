// The thread's side of test/rig/command-thread.ts: the command line loaded once, and one command after another in it.
import { type MessagePort, workerData } from 'node:worker_threads'

export type Order = { readonly words: readonly string[]; readonly env: Readonly<Record<string, string>> }
/** What a command ended with; no status where its process was killed. */
export type Ran = { readonly status: number | null; readonly stdout: string; readonly stderr: string }
/** What the thread is started with. `answers` counts the answers, for who sleeps until there is one. */
export type Desk = { readonly program: string; readonly port: MessagePort; readonly answers: Int32Array }

type CommandLine = { readonly main: (words: readonly string[]) => Promise<number> }

const { program, port, answers } = workerData as Desk
const said = { stdout: '', stderr: '' }
for (const name of ['stdout', 'stderr'] as const)
  process[name].write = (bytes: string | Uint8Array) => {
    said[name] += typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString()
    return true
  }
const commandLine = import(program) as Promise<CommandLine>

async function run({ words, env }: Order): Promise<Ran> {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.exitCode = undefined
  said.stdout = ''
  said.stderr = ''
  const code = await (await commandLine).main(words)
  return { status: code === 0 ? Number(process.exitCode ?? 0) : code, ...said }
}

async function serve(order: Order): Promise<void> {
  port.postMessage(await run(order))
  Atomics.add(answers, 0, 1)
  Atomics.notify(answers, 0)
}

port.on('message', (order: Order) => void serve(order))
