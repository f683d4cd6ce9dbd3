// The dashboard, the alert rules and their runbooks against a gateway at work: each figure that they name is exposed, with the
// labels that they ask by, and each alert leads to a page that says what to do.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll, expect, test, vi } from 'vitest'
import { databaseFiguresFrom, readDatabaseFigures } from '../../../src/store/operator/database-figures.ts'
import { openWorld } from '../../world.ts'

const ALERTS = 'deploy/observability/prometheus-alerts.yml'
const DASHBOARD = 'deploy/observability/grafana-dashboard.json'
const RUNBOOKS = 'docs/runbooks'

type Alert = { readonly name: string; readonly expr: string; readonly severity: string; readonly runbook: string }

/** The rules as this file writes them: one shape, which the test itself holds them to. */
function alertsOf(text: string): Alert[] {
  const RULE =
    / {6}- alert: (\w+)\n {8}expr: >-\n {10}(.+)\n {8}for: \d+m\n {8}labels:\n {10}severity: (critical|warning)\n {8}annotations:\n {10}summary: ".+"\n {10}runbook_url: (\S+)\n/g
  const rules = [...text.matchAll(RULE)].map(([whole, name = '', expr = '', severity = '', runbook = '']) => ({
    whole,
    rule: { name, expr, severity, runbook },
  }))
  const rest = rules.reduce((left, { whole }) => left.replace(whole, ''), text)
  expect(rest.replaceAll(/^#.*\n/gm, ''), 'what is no rule').toBe('groups:\n  - name: gateway\n    rules:\n')
  return rules.map(({ rule }) => rule)
}

type Dashboard = { readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[] }

const dashboardOf = (text: string) =>
  (JSON.parse(text) as Dashboard).panels.flatMap(({ targets }) => targets ?? []).map(({ expr }) => expr)

/** By name, the labels that a figure is exposed with; those of a collector are its own. */
type Exposed = ReadonlyMap<string, ReadonlySet<string>>

const OF_COLLECTOR = ['instance', 'job']

async function exposedBy(figures: () => Promise<string>): Promise<Exposed> {
  const text = await figures()
  const exposed = new Map<string, Set<string>>()
  for (const [, name = ''] of text.matchAll(/^# TYPE (\w+) histogram$/gm))
    for (const suffix of ['_bucket', '_sum', '_count']) exposed.set(name + suffix, new Set())
  for (const [, name = ''] of text.matchAll(/^# TYPE (\w+) (?:counter|gauge)$/gm)) exposed.set(name, new Set())
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)\{(.*)\} /gm))
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) exposed.get(name)?.add(label)
  return exposed
}

/** What an expression names that nothing exposes. */
function faultsOf(expr: string, exposed: Exposed): string[] {
  const names = expr.match(/\b(?:gateway|process)_\w+/g) ?? []
  const unknown = names.filter((name) => !exposed.has(name))
  const known = new Set([...OF_COLLECTOR, ...names.flatMap((name) => [...(exposed.get(name) ?? [])])])
  const asked = [
    ...[...expr.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => label),
    ...[...expr.matchAll(/\bby \(([\w, ]+)\)/g)].flatMap(([, labels = '']) => labels.split(', ')),
  ]
  return [...unknown, ...asked.filter((label) => !known.has(label)).map((label) => `label ${label}`)]
}

const world = await openWorld()
afterAll(() => world.stop())

/** One of everything that only shows once it has happened. */
async function busy(): Promise<Exposed> {
  const { caller } = world
  await caller.ask('POST', '/webhook-endpoints', { body: { url: 'http://127.0.0.1:9/hook' } })
  await world.settle((await caller.paid()).id)
  await caller.ask('GET', '/contracts/transfer/none')
  // With a pause between two looks: what is waited for happens in this very process.
  return vi.waitFor(
    async () => {
      const exposed = await exposedBy(world.gateway.figures)
      expect(exposed.get('gateway_webhook_attempts_total'), 'an attempt at a webhook').toContain('outcome')
      expect(exposed.get('gateway_jobs_total')?.size, 'a job').toBeGreaterThan(0)
      return exposed
    },
    { timeout: 30_000, interval: 20 },
  )
}

test('every figure and label of the dashboard and of the alerts is one that a gateway exposes', async () => {
  const exposed = await busy()
  // These show a label only when a provider errs or lies, or somebody is verified.
  const rare = {
    gateway_payment_events_total: 'reception',
    gateway_callback_disputes_total: 'channel',
    gateway_callbacks_ignored_total: 'channel',
    gateway_forgotten_orders_total: 'channel',
    gateway_verifications_total: 'result',
  }
  const all = new Map([...exposed, ...Object.entries(rare).map(([name, label]) => [name, new Set([label])] as const)])
  for (const name of Object.keys(rare)) expect(exposed.has(name), name).toBe(true)
  const alerts = alertsOf(readFileSync(ALERTS, 'utf8'))
  expect(alerts.length).toBeGreaterThan(15)
  for (const { name, expr } of alerts) expect(faultsOf(expr, all), name).toEqual([])
  const panels = dashboardOf(readFileSync(DASHBOARD, 'utf8'))
  expect(panels.length).toBeGreaterThan(30)
  for (const expr of panels) expect(faultsOf(expr, all), expr).toEqual([])
  // What is exposed and shown nowhere is a figure that nobody looks at.
  const named = [...alerts.map(({ expr }) => expr), ...panels].join('\n')
  const families = [...exposed.keys()].map((name) => name.replace(/_(bucket|sum|count)$/, ''))
  expect(
    [...new Set(families)].filter((name) => !named.includes(name) && name !== 'process_start_time_seconds'),
  ).toEqual([])

  expect(faultsOf('rate(gateway_nothing_total[5m]) > 1', all)).toEqual(['gateway_nothing_total'])
  expect(faultsOf('sum by (account) (gateway_jobs_due{kind="x"})', all)).toEqual(['label kind', 'label account'])
})

test('the database, its disk and what grows old are looked up, and one outcome that nobody knows is counted', async () => {
  const valueOf = async (name: string) =>
    Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(await world.gateway.figures())?.[1])
  await expect
    .poll(() => valueOf('gateway_database_bytes'), { timeout: 30_000, interval: 50 })
    .toBeGreaterThan(1_000_000)
  const now = Date.now() / 1000
  expect(await valueOf('gateway_database_start_time_seconds')).toBeLessThan(now)
  expect(Math.abs(await valueOf('gateway_database_clock_offset_seconds'))).toBeLessThan(60)
  const [free, whole] = [await valueOf('gateway_disk_free_bytes'), await valueOf('gateway_disk_bytes')]
  expect(free).toBeGreaterThan(0)
  expect(free).toBeLessThan(whole)
  expect(await valueOf('gateway_replication_lag_bytes')).toBeNaN()
  expect(await valueOf('gateway_build_info')).toBe(1)
  const { id } = await world.caller.paid()
  await world.settle(id)
  await world.sql(
    `update jobs set status = 'unknown', submitted_at = now() - interval '2 hours', due_at = null where contract_id = $1`,
    [id],
  )
  await world.sql(`update api_keys set expires_at = now() + interval '2 days' where key_id = $1`, [world.other.keyId])
  const figures = databaseFiguresFrom(await world.gateway.deps.reader.send(readDatabaseFigures()))
  expect(figures).toMatchObject({ unknown: 1, keysEnding: 1, listSeconds: 0, replicaLagBytes: null })
  expect(figures.unknownSeconds).toBeGreaterThan(7000)
  await world.sql(`update jobs set status = 'delivered' where contract_id = $1`, [id])
})

test('no label names an account, a contract, a key or an endpoint', async () => {
  const { caller } = world
  const { id } = await caller.draft()
  const text = await world.gateway.figures()
  for (const secret of [id, caller.account.accountId, caller.keyId, caller.apiKey]) expect(text).not.toContain(secret)
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/)
})

test('every alert has its runbook, and every runbook its alert', () => {
  const alerts = alertsOf(readFileSync(ALERTS, 'utf8'))
  for (const { name, expr, runbook } of alerts) {
    expect(runbook).toBe(`http://127.0.0.1:3000/docs/runbooks/${name}`)
    const text = readFileSync(`${RUNBOOKS}/${name}.md`, 'utf8')
    for (const part of ['## What it means', '## How to look', '## How to mend', expr])
      expect(text, name).toContain(part)
    for (const [, page = ''] of text.matchAll(/\]\((\w+\.md)\)/g))
      expect(existsSync(`${RUNBOOKS}/${page}`), page).toBe(true)
  }
  const pages = readdirSync(RUNBOOKS).filter((file) => file !== 'index.md')
  expect(pages.toSorted()).toEqual(alerts.map(({ name }) => `${name}.md`).toSorted())
  const index = readFileSync(`${RUNBOOKS}/index.md`, 'utf8')
  for (const page of pages) expect(index).toContain(`](${page})`)
})

const hasPromtool = (() => {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

test.skipIf(!hasPromtool)('promtool, where it is installed, finds no fault with the rules', () => {
  expect(execFileSync('promtool', ['check', 'rules', ALERTS], { encoding: 'utf8' })).toContain('SUCCESS')
})
