// What npm run mutants and npm run reliability name: each planted fault has its place still, and each test is there.
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { TESTED } from '../../scripts/reliability/tests.ts'
import { MUTANTS } from '../../scripts/reliability/planted.ts'

test('each planted fault has one place in the product, changes it, and names a test', () => {
  for (const { name, file, line, instead, foundBy } of MUTANTS) {
    expect(readFileSync(file, 'utf8').split(line).length - 1, `${name}: places in ${file}`).toBe(1)
    expect(instead).not.toBe(line)
    expect(existsSync(foundBy), `${name}: ${foundBy}`).toBe(true)
  }
})

test('there are fifteen at least, each once', () => {
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length)
  expect(MUTANTS.length).toBeGreaterThanOrEqual(15)
})

test('what RELIABILITY.md names is there', () => {
  expect(TESTED.filter(([, file]) => !existsSync(file))).toEqual([])
})
