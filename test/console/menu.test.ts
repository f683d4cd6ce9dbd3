// The areas of the console's menu: each is in the list, and no two share an address or a key.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const FOLDER = 'console/src'
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => /\/areas?\.ts$/.test(name))
const texts = files.filter((name) => !name.startsWith('shell/')).map((name) => readFileSync(join(FOLDER, name), 'utf8'))
const valuesOf = (member: string) =>
  texts.flatMap((text) =>
    [...text.matchAll(new RegExp(`^ {2,4}${member}: '([^']*)'`, 'gm'))].map(([, value = '']) => value),
  )

test('no two areas share an address or a key', () => {
  for (const member of ['path', 'key']) {
    const values = valuesOf(member)
    expect(values.length, member).toBeGreaterThan(10)
    expect(values.toSorted()).toEqual([...new Set(values)].toSorted())
  }
})

test('every area is in the menu', () => {
  const menu = readFileSync(join(FOLDER, 'areas.ts'), 'utf8')
  for (const name of files.filter((each) => each !== 'areas.ts' && !each.startsWith('shell/')))
    expect(menu).toContain(`from './${name}'`)
})
