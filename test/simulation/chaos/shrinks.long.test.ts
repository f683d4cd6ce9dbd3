// The chaos run is tried itself: a gateway that believes in a COMMIT whose answer did not come is found by it, and of the
// faults that were done those are left that show it. The long form: npm run chaos -- --minutes 10 --shrink
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileGateway } from '../../rig/built.ts'
import { chaosReport, runChaos } from '../../rig/chaos/chaos.ts'
import { type Fault, faultsFrom, faultsText, shortest } from '../../rig/chaos/faults.ts'

const FAULTS = 'kill-provider@1,cut-before@2,freeze-provider@2.5:300,cut-before@3,cut-before@3.5'
const FILE = 'src/platform/db.ts'
const LINE = "const results = settle(settled, 'in doubt', engine)"
const INSTEAD = `if (settled.some(({ status }) => status === 'rejected')) return stored.value
  ${LINE}`

let folder: string
const before = process.env['TEST_BUILD']
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-planted-'))
  const sound = join(folder, 'sound')
  cpSync(join(process.cwd(), 'package.json'), join(sound, 'package.json'))
  compileGateway(sound)
  const build = join(folder, 'build')
  cpSync(join(sound, 'dist'), join(build, 'dist'), { recursive: true, dereference: true })
  for (const name of ['node_modules', 'db', 'docs', 'package.json'])
    symlinkSync(join(process.cwd(), name), join(build, name))
  plantIn(build)
  process.env['TEST_BUILD'] = build
}, 240_000)
afterAll(() => {
  if (before === undefined) delete process.env['TEST_BUILD']
  else process.env['TEST_BUILD'] = before
  rmSync(folder, { recursive: true, force: true })
})

function plantIn(build: string): void {
  const text = readFileSync(FILE, 'utf8')
  if (text.split(LINE).length !== 2) throw new Error('the line does not stand there once')
  const { outputText } = ts.transpileModule(text.replace(LINE, INSTEAD), {
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2022,
      rewriteRelativeImportExtensions: true,
    },
  })
  writeFileSync(join(build, 'dist', FILE.replace(/\.ts$/, '.js')), outputText)
}

test('it finds a commit that was believed without its answer, and the faults that show it', {
  timeout: 900_000,
}, async () => {
  const all = faultsFrom(FAULTS, 1)
  const fails = async (faults: readonly Fault[]) => {
    const heal = { heal: 'asked at once', healWithinMs: 30_000 } as const
    const figures = await runChaos({ faults, gateways: 1, seed: 7, callers: 12, ...heal })
    console.log(chaosReport({ ...figures, findings: figures.findings.slice(0, 3) }))
    return figures.findings.length > 0
  }
  expect(await fails(all)).toBe(true)
  const few = await shortest(all, fails)
  console.log(`left: ${faultsText(few)}`)
  expect(few.length).toBeLessThan(all.length)
  expect(few.some(({ kind }) => kind === 'cut-before')).toBe(true)
  expect(few.map(({ kind }) => kind)).not.toContain('kill-provider')
})
