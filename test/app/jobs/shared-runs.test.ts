// Runs that many share: whoever asks sees what was written before, and a crowd costs two runs.
import { expect, test } from 'vitest'
import { sharedRuns } from '../../../src/app/jobs/shared-runs.ts'

function counted() {
  const begun: { readonly name: string; readonly end: (fault?: Error) => void }[] = []
  let written = 0
  const run = sharedRuns(
    (name: string) => name,
    (name) => {
      const seen = written
      return new Promise<number>((resolve, reject) => {
        begun.push({ name, end: (fault) => (fault ? reject(fault) : resolve(seen)) })
      })
    },
  )
  return { begun, run, write: () => ++written }
}

const turn = () => new Promise(setImmediate)

test('A crowd costs two runs, and those of the second see what was written before they came', async () => {
  const { begun, run, write } = counted()
  const first = run('a')
  write()
  const later = Array.from({ length: 100 }, () => run('a'))
  expect(begun).toHaveLength(1)
  begun[0]?.end()
  expect(await first).toBe(0)
  await turn()
  expect(begun).toHaveLength(2)
  begun[1]?.end()
  expect(new Set(await Promise.all(later))).toEqual(new Set([1]))
})

test('Whoever comes while the second run is under way gets a third', async () => {
  const { begun, run, write } = counted()
  void run('a')
  const second = run('a')
  begun[0]?.end()
  await turn()
  write()
  const third = run('a')
  begun[1]?.end()
  expect(await second).toBe(0)
  await turn()
  begun[2]?.end()
  expect(await third).toBe(1)
  expect(begun).toHaveLength(3)
})

test('Another name waits for nobody, and a name that nobody asks for any more begins at once', async () => {
  const { begun, run } = counted()
  const one = run('a')
  const other = run('b')
  expect(begun.map(({ name }) => name)).toEqual(['a', 'b'])
  begun[1]?.end()
  begun[0]?.end()
  await Promise.all([one, other])
  const again = run('a')
  expect(begun).toHaveLength(3)
  begun[2]?.end()
  await again
})

test('A run that fails fails for those who wait for it, and for nobody after', async () => {
  const { begun, run } = counted()
  const first = run('a')
  const second = run('a')
  begun[0]?.end(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await turn()
  begun[1]?.end()
  expect(await second).toBe(0)
})
