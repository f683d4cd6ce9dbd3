// npm run dev, on a copy of the build in which one source may change: it starts the gateway, starts it again with what has
// changed, goes on with the last one while a type is wrong, and Ctrl-C leaves no process behind.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, cpSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '../rig/gateway-child.ts'
import { openWorkshop, type Workshop } from '../rig/starts.ts'

const SOURCE = 'src/main/package-file.ts'
const WITHIN = { timeout: 30_000, interval: 20 }

let workshop: Workshop
let port = 0
let dev: ChildProcess
let said = ''

beforeAll(async () => {
  workshop = openWorkshop()
  const { folder } = workshop
  const built = realpathSync(join(folder, 'dist'))
  rmSync(join(folder, 'dist'))
  cpSync(built, join(folder, 'dist'), { recursive: true })
  for (const path of ['node_modules', 'db', 'docs', 'package.json']) symlinkSync(resolve(path), join(folder, path))
  for (const path of ['bin', 'tsconfig.json', SOURCE]) cpSync(path, join(folder, path), { recursive: true })
  narrow('tsconfig.build.json', { extends: './tsconfig.json', include: [SOURCE] }, 'dist')
  narrow('pay/tsconfig.json', { extends: '../tsconfig.json', include: ['page.ts'] }, '../dist/pay')
  writeFileSync(join(folder, 'pay/page.ts'), 'export const isPage = true\n')
  port = await freePort()
  const env = { PATH: process.env['PATH'] ?? '', PORT: String(port), GATEWAY_DATA_DIR: join(folder, 'data') }
  dev = spawn(process.execPath, [join(folder, 'dist/scripts/dev.js')], { cwd: folder, env })
  for (const stream of [dev.stdout, dev.stderr]) stream?.on('data', (bytes: Buffer) => (said += bytes.toString()))
})

afterAll(async () => {
  if (dev.exitCode === null) dev.kill('SIGTERM')
  await workshop.close()
})

/** As the repository's own, for one file: what is proven is that a change arrives, not how fast all of it compiles. */
function narrow(path: string, project: Readonly<Record<string, unknown>>, outDir: string): void {
  const file = join(workshop.folder, path)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, JSON.stringify({ compilerOptions: { noEmit: false, rootDir: '.', outDir }, ...project }))
}

const says = (words: string | RegExp) => vi.waitFor(() => expect(said).toMatch(words), WITHIN)
const edit = (text: string) => appendFileSync(join(workshop.folder, SOURCE), `${text}\n`)
const status = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status

test('it starts the gateway, and starts it again with a source that has changed, whose log it prints in words', async () => {
  await says('Ctrl-C to stop')
  expect(await status()).toBe(200)
  edit(`console.error(JSON.stringify({ level: 40, time: 0, msg: 'edited', by: 'test', n: 2 }))`)
  await says('Gateway started again')
  expect(said).toMatch(/\d\d:\d\d:00 warn {2}edited {2}by=test n=2\n/)
  expect(await status()).toBe(200)
})

test('a wrong type is told, and the gateway goes on', async () => {
  const pids = () => spawnSync('pgrep', ['-P', String(dev.pid)], { encoding: 'utf8' }).stdout
  const before = pids()
  edit(`export const wrong: number = 'text'`)
  await says(/package-file\.ts\(\d+,\d+\): error TS2322/)
  expect(await status()).toBe(200)
  expect(pids()).toBe(before)
})

test('Ctrl-C ends all of it', async () => {
  const groups = spawnSync('pgrep', ['-P', String(dev.pid)], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
  expect(groups).toHaveLength(3)
  const ended = once(dev, 'exit')
  dev.kill('SIGINT')
  expect(await ended).toEqual([0, null])
  const left = () => [
    ...workshop.processesOf(workshop.folder),
    ...groups.flatMap((group) =>
      spawnSync('pgrep', ['-g', group], { encoding: 'utf8' }).stdout.split('\n').filter(Boolean),
    ),
  ]
  await expect.poll(left, { timeout: 30_000 }).toEqual([])
})
