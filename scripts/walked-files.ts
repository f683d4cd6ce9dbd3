// The source files that one request of a real gateway runs through, by V8's own coverage, but the loops that run while nothing is
// asked. Starts a gateway on a directory of its own and takes all of it away again.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sign } from '../sdk/src/signature.ts'
import { readConfig } from '../src/main/config/config.ts'
import { startGateway } from '../src/main/start.ts'

const IDLE_MS = 3000

/** The files of a transfer contract's pay, and of a provider's event about a payment contract. */
export async function walkedFiles(): Promise<{ readonly pay: string[]; readonly event: string[] }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-figures-'))
  const settings = { GATEWAY_DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', GATEWAY_RATE_LIMIT: '0' }
  const running = await startGateway({ ...readConfig(settings), mode: 'development' }, () => undefined)
  try {
    const caller = callerOf(running.url, JSON.parse(readFileSync(join(dataDir, 'dev.json'), 'utf8')) as DevFile)
    const inspector = new Session()
    inspector.connect()
    await inspector.post('Profiler.enable')
    await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    // With no contract there yet, so that what runs are the loops that look for work.
    await sleep(IDLE_MS)
    const idle = await ranFunctions(inspector)
    // Once each beforehand: what is prepared at the first time is not on the way.
    await caller.pay(await caller.issued())
    await caller.report(await caller.opened())
    const [toPay, toReport] = [await caller.issued(), await caller.opened()]
    const pay = await coveredBy(inspector, idle, () => caller.pay(toPay))
    return { pay, event: await coveredBy(inspector, idle, () => caller.report(toReport)) }
  } finally {
    await running.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type DevFile = { readonly api_key: string; readonly webhook_key: string; readonly webhook_secret: string }
type Reply = { readonly data: { readonly contract: { readonly id: string } } }

const DRAFT = {
  amount: 12.5,
  currency: 'PHP',
  channel: 'sandbox',
  issued_to: 'Ana',
  recipient: { name: 'Ana', wallet: '1' },
}

function callerOf(url: string, { api_key: key, webhook_key: providerKey, webhook_secret: secret }: DevFile) {
  const call = async (method: string, path: string, body: string, headers: Record<string, string> = {}) => {
    const all = { 'x-api-key': key, 'content-type': 'application/json', ...headers }
    const reply = await fetch(`${url}${path}`, { method, body, headers: all })
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as Reply
  }
  return {
    issued: async () => {
      const { id } = (await call('POST', '/contracts/transfer', JSON.stringify(DRAFT))).data.contract
      await call('PUT', `/contracts/transfer/${id}/issue`, '{}')
      return id
    },
    pay: async (id: string) => void (await call('PUT', `/contracts/transfer/${id}/pay`, '{}')),
    opened: async () =>
      (await call('POST', '/contracts/payment', '{"amount": 100, "currency": "PHP"}')).data.contract.id,
    report: async (contractId: string) => {
      const at = Math.floor(Date.now() / 1000)
      const money = { id: `pi_${contractId}`, amount: 100, currency: 'PHP', status: 'succeeded', channel: 'maya' }
      const id = `evt_${contractId}`
      const data = { object: { ...money, contract_id: contractId } }
      const body = JSON.stringify({ id, type: 'payment_intent.succeeded', created_at: at, data })
      const signed = sign({ id, timestampSeconds: at, body, secrets: [secret] })
      await call('POST', '/webhooks', body, { ...signed, 'x-api-key': providerKey })
    },
  }
}

async function coveredBy(inspector: Session, idle: ReadonlySet<string>, work: () => Promise<void>): Promise<string[]> {
  await inspector.post('Profiler.takePreciseCoverage')
  await work()
  const files = new Set<string>()
  for (const place of await ranFunctions(inspector)) if (!idle.has(place)) files.add(place.split(':')[0] ?? '')
  return [...files].toSorted()
}

/** The named functions that ran since the last look, as `file:function`. */
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
