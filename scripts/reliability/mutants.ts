// npm run mutants [-- NAME ...] [--every 4]: the test of the tests. Plants one fault at a time in a copy of the tree and runs the
// test that has to find it. Ends with 1 where one is not found, or where a test fails without any fault.
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { type Mutant, MUTANTS } from './planted.ts'

const ROOT = process.cwd()
/** Nothing of these is read by a test that finds a fault, but the packages, which are shared. */
const LEFT_OUT = ['.git', 'dist', 'node_modules']
const TEST_TIMEOUT_MS = 5 * 60_000

type Verdict = 'found' | 'not found' | 'did not run'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { every: { type: 'string', default: '1' } },
})
const every = Number(values.every)
const unknown = positionals.filter((name) => !MUTANTS.some((mutant) => mutant.name === name))
if (unknown.length > 0 || !Number.isSafeInteger(every) || every < 1) {
  console.error(
    `usage: npm run mutants -- [--every 4] [NAME ...]\nnames: ${MUTANTS.map(({ name }) => name).join(', ')}`,
  )
  process.exit(2)
}
const chosen = MUTANTS.filter(({ name }, i) => (positionals.length > 0 ? positionals.includes(name) : i % every === 0))

const copy = mkdtempSync(join(tmpdir(), 'gateway-mutants-'))
let running: ReturnType<typeof spawn> | null = null
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    running?.kill('SIGTERM')
    rmSync(copy, { recursive: true, force: true })
    process.exit(130)
  })
try {
  copyTree()
  process.exitCode = (await runAll()) ? 0 : 1
} finally {
  rmSync(copy, { recursive: true, force: true })
}

async function runAll(): Promise<boolean> {
  // Without a fault the same tests pass: else a failure would prove nothing.
  const tests = [...new Set(chosen.map(({ foundBy }) => foundBy))]
  const [code, said] = await runTests(tests)
  if (code !== 0) {
    console.log(said.slice(said.indexOf('Failed Tests')))
    console.log('The tests fail without any fault: nothing was planted.')
    return false
  }
  let isAllFound = true
  for (const mutant of chosen) {
    const [verdict, words] = await tried(mutant)
    if (verdict !== 'found') isAllFound = false
    console.log(`${verdict.padEnd(11)}  ${mutant.name}: ${mutant.harm}`)
    if (verdict === 'did not run') console.log(words)
  }
  console.log(`${chosen.length} planted, ${isAllFound ? 'all' : 'not all'} found, of ${MUTANTS.length} that there are`)
  return isAllFound
}

async function tried({ file, line, instead, foundBy }: Mutant): Promise<readonly [Verdict, string]> {
  const place = join(copy, file)
  const text = readFileSync(place, 'utf8')
  if (text.split(line).length !== 2) return ['did not run', `the line does not stand once in ${file}`]
  writeFileSync(
    place,
    text.replace(line, () => instead),
  )
  const [code, said] = await runTests([foundBy])
  writeFileSync(place, text)
  // A test that failed, and not a run that came to nothing: a file that does not compile finds no fault.
  const isTested = /Tests\s+.*\d+ failed/.test(said) || /\bAssertionError\b/.test(said)
  return code === 0 ? ['not found', said] : [isTested ? 'found' : 'did not run', said]
}

function copyTree(): void {
  const filter = (path: string) => !LEFT_OUT.includes(path.slice(ROOT.length + 1).split(sep)[0] ?? '')
  cpSync(ROOT, copy, { recursive: true, filter })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
}

/** How it ended, and what it said. */
function runTests(files: readonly string[]): Promise<readonly [number, string]> {
  return new Promise((resolve) => {
    const args = [join('node_modules', 'vitest', 'vitest.mjs'), 'run', '--reporter=default', ...files]
    const child = spawn(process.execPath, args, { cwd: copy, env: { ...process.env, NO_COLOR: '1' } })
    running = child
    const late = setTimeout(() => child.kill('SIGTERM'), TEST_TIMEOUT_MS * files.length)
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
    child.once('exit', (code) => {
      clearTimeout(late)
      resolve([code ?? 1, said])
    })
  })
}
