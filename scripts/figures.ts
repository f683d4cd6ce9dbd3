// What the house measures about itself (docs/architecture.md): npm run figures. Lines and files by folder, how large files are,
// how many places name a field or a rail, and the source files that one pay and one event really run through, by V8's own
// coverage of a gateway that is started for it. Prints a table; changes nothing.
import { readdirSync, readFileSync, rmSync, mkdtempSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sign } from '../sdk/src/signature.ts'
import { startGateway } from '../src/main/start.ts'

const ROOTS = ['src', 'sandbox', 'bench']
const RAILS = /\b(gcash|maya|instapay|pesonet|qrph)\b/i
/** Where rails may be named: their own folders, the catalogue, and configuration. */
const RAIL_PLACES =
  /^src\/(connectors\/\w+\/|connectors\/catalogue|main\/(channels|config|connectors|rails-config)|channels\/)/

type Source = { readonly path: string; readonly text: string; readonly lines: number }

function sourcesIn(root: string): Source[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
    .map(({ path, text }) => ({ path, text, lines: text.trimEnd().split('\n').length }))
}

function rank(sizes: readonly number[], share: number): number {
  const sorted = sizes.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function readingFigures(): [string, string][] {
  const sources = ROOTS.flatMap((root) => (readdirSync('.').includes(root) ? sourcesIn(root) : []))
  const server = sources.filter(({ path }) => path.startsWith('src/'))
  const linesOf = (all: readonly Source[]) => all.reduce((sum, { lines }) => sum + lines, 0)
  const folders = new Map<string, number>()
  for (const { path } of sources) folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1)
  const [largest = ['none', 0] as const] = [...folders].toSorted(([, a], [, b]) => b - a)
  const sizes = server.map(({ lines }) => lines)
  const byFolder = new Map<string, number>()
  for (const { path, lines } of sources) {
    const folder = path
      .split('/')
      .slice(0, path.startsWith('src/') ? 2 : 1)
      .join('/')
    byFolder.set(folder, (byFolder.get(folder) ?? 0) + lines)
  }
  const naming = server.filter(({ text }) => /\bissuedTo\b|\bissued_to\b/.test(text))
  const rails = server.filter(({ path, text }) => RAILS.test(text) && !RAIL_PLACES.test(path))
  return [
    ['lines in src, sandbox and bench', String(linesOf(sources))],
    ['lines by folder', [...byFolder].map(([folder, lines]) => `${folder} ${lines}`).join(' · ')],
    ['largest folder', `${largest[0]}, ${largest[1]} files`],
    ['median / p90 / max lines of a file in src', `${rank(sizes, 0.5)} / ${rank(sizes, 0.9)} / ${Math.max(...sizes)}`],
    ['files that name issuedTo', String(naming.length)],
    ['files that name a rail outside its folder, the catalogue and configuration', String(rails.length)],
  ]
}

type Reply = { readonly data: { readonly contract: { readonly id: string } } }
type DevFile = { readonly api_key: string; readonly webhook_key: string; readonly webhook_secret: string }

/** The source files whose functions run for a request, but those that run while nothing is asked. */
async function coveredBy(inspector: Session, idle: ReadonlySet<string>, work: () => Promise<void>): Promise<string[]> {
  await inspector.post('Profiler.takePreciseCoverage')
  await work()
  const ran = await ranFunctions(inspector)
  const files = new Set<string>()
  for (const place of ran) if (!idle.has(place)) files.add(place.split(':')[0] ?? '')
  return [...files].toSorted()
}

async function ranFunctions(inspector: Session): Promise<Set<string>> {
  const { result } = await inspector.post('Profiler.takePreciseCoverage')
  const ran = new Set<string>()
  for (const { url, functions } of result) {
    const at = url.indexOf('/dist/src/')
    if (at < 0) continue
    const path = `${url.slice(at + '/dist/'.length).replace(/\.js$/, '')}.ts`
    for (const { functionName, ranges } of functions)
      if ((ranges[0]?.count ?? 0) > 0 && functionName !== '') ran.add(`${path}:${functionName}`)
  }
  return ran
}

const IDLE_MS = 3000

async function walkingFigures(): Promise<[string, string][]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-figures-'))
  const { readConfig } = (await configModule()) as { readConfig: (env: Record<string, string>) => object }
  const config = {
    ...readConfig({ GATEWAY_DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', GATEWAY_RATE_LIMIT: '0' }),
    mode: 'development',
  }
  const running = await startGateway(config as Parameters<typeof startGateway>[0], () => undefined)
  try {
    const {
      api_key: key,
      webhook_key: providerKey,
      webhook_secret: secret,
    } = JSON.parse(readFileSync(join(dataDir, 'dev.json'), 'utf8')) as DevFile
    const call = async (method: string, path: string, body: unknown, headers: Record<string, string> = {}) => {
      const text = JSON.stringify(body)
      const reply = await fetch(`${running.url}${path}`, {
        method,
        body: text,
        headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
      })
      if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
      return (await reply.json()) as Reply
    }
    const draft = {
      amount: 12.5,
      currency: 'PHP',
      channel: 'sandbox',
      issued_to: 'Ana',
      recipient: { name: 'Ana', wallet: '1' },
    }
    const issued = async () => {
      const { id } = (await call('POST', '/contracts/transfer', draft)).data.contract
      await call('PUT', `/contracts/transfer/${id}/issue`, {})
      return id
    }
    const pay = async (id: string) => void (await call('PUT', `/contracts/transfer/${id}/pay`, {}))
    const opened = async () =>
      (await call('POST', '/contracts/payment', { amount: 100, currency: 'PHP' })).data.contract.id
    let events = 0
    const report = async (id: string) => {
      events += 1
      const at = Math.floor(Date.now() / 1000)
      const object = {
        id: `pi_${events}`,
        amount: 100,
        currency: 'PHP',
        status: 'succeeded',
        channel: 'maya',
        contract_id: id,
      }
      const event = { id: `evt_${events}`, type: 'payment_intent.succeeded', created_at: at, data: { object } }
      const body = JSON.stringify(event)
      const headers = sign({ id: event.id, timestampSeconds: at, body, secrets: [secret] })
      await call('POST', '/webhooks', event, {
        'x-api-key': providerKey,
        'service-signature': headers['service-signature'],
      })
    }
    const inspector = new Session()
    inspector.connect()
    await inspector.post('Profiler.enable')
    await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    // With no contract there yet, so that what runs are the loops that look for work.
    await sleep(IDLE_MS)
    const idle = await ranFunctions(inspector)
    // Once each beforehand: what is prepared at the first time is not on the way.
    await pay(await issued())
    await report(await opened())
    const [toPay, toReport] = [await issued(), await opened()]
    const paid = await coveredBy(inspector, idle, () => pay(toPay))
    const reported = await coveredBy(inspector, idle, () => report(toReport))
    const shown = (files: readonly string[]) =>
      `${files.length}, of them in platform ${files.filter((file) => file.startsWith('src/platform/')).length}`
    console.error(`a pay:\n  ${paid.join('\n  ')}\nan event:\n  ${reported.join('\n  ')}`)
    return [
      ['source files that a pay runs through, request to reply', shown(paid)],
      ['source files that a provider’s event runs through', shown(reported)],
    ]
  } finally {
    await running.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const configModule = () => import('../src/main/config/config.ts')

const figures = [...readingFigures(), ...(await walkingFigures())]
console.log(`| figure | value |\n|---|---|\n${figures.map(([name, value]) => `| ${name} | ${value} |`).join('\n')}`)
process.exit(0)
