// The table of commands: it says of each what its own help says, and help is made of the table alone.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { COMMANDS, GROUPS } from '../../../src/cli/commands.ts'
import { helpText } from '../../../src/cli/shell/help.ts'
import { compileGateway } from '../../rig/built.ts'

let folder: string
let program: string
beforeAll(() => {
  folder = mkdtempSync('/tmp/gateway-table-')
  program = compileGateway(folder)
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// Says on standard error which modules are loaded, without a part in what they do.
const WATCHER = `
  import { register } from 'node:module'
  const hook = \`
    import { writeSync } from 'node:fs'
    export async function load(url, context, next) { writeSync(2, 'loaded ' + url + '\\\\n'); return next(url, context) }\`
  register('data:text/javascript,' + encodeURIComponent(hook))`

function loadedBy(...words: readonly string[]) {
  const watcher = `data:text/javascript,${encodeURIComponent(WATCHER)}`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', watcher, program, ...words], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '' },
  })
  const urls = stderr.split('\n').flatMap((line) => /^loaded (file:.*)$/.exec(line)?.[1] ?? [])
  return { status, stdout, files: urls.map((url) => url.replace(/^.*\/(dist\/|node_modules\/)/, '')) }
}

test('help loads no command and no library; a command loads no other', () => {
  const { status, stdout, files } = loadedBy('--help')
  expect(status).toBe(0)
  expect(stdout.trim()).toBe(helpText(100).trim())
  const parts = ['commands', 'failures', 'index', 'main', 'output', 'shell/help']
  expect(files.toSorted()).toEqual(parts.map((part) => `src/cli/${part}.js`))
  const version = loadedBy('--version')
  expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect(version.files.some((file) => file.startsWith('commander'))).toBe(false)
  const one = loadedBy('find', '--help').files
  expect(one).toContain('src/cli/resources/find.js')
  expect(one.filter((file) => /cli\/(contracts|wallets|operator|webhooks)\//.test(file))).toEqual([])
})

test.each(COMMANDS.map((listed) => [listed.name, listed] as const))(
  'the table says of %s what its own help says',
  async (name, { about, load }) => {
    const command = await load()
    expect([command.name(), command.description()]).toEqual([name, about])
  },
)

test('each group has commands, no name is there twice, and help is no wider than the terminal', () => {
  expect(new Set(COMMANDS.map(({ group }) => group))).toEqual(new Set(GROUPS))
  expect(new Set(COMMANDS.map(({ name }) => name)).size).toBe(COMMANDS.length)
  for (const { name } of COMMANDS) expect(helpText(60)).toMatch(new RegExp(`^  ${name} `, 'm'))
  const tables = helpText(60).split('\n\n').slice(2, -2)
  for (const line of tables.join('\n').split('\n')) expect(line.length).toBeLessThanOrEqual(60)
})
