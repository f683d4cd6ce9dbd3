// SQL taken apart into its statements: what hides a semicolon, and every migration that there is.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sqlStatements } from '../../src/platform/postgres/sql-statements.ts'

const texts = (sql: string) => sqlStatements(sql).map(({ text }) => text.trim())

test.each([
  ['a; b;', ['a', 'b']],
  ['a', ['a']],
  [';; -- nothing;\n ; /* ; */', []],
  [`select ';', 'it''s;'; b`, [`select ';', 'it''s;'`, 'b']],
  [`select E'\\';', 'x' ; b`, [`select E'\\';', 'x'`, 'b']],
  [`select e'\\\\'; b`, [`select e'\\\\'`, 'b']],
  [`select name';'; b`, [`select name';'`, 'b']],
  ['select ";" from "a""b;"; b', ['select ";" from "a""b;"', 'b']],
  ['do $$ begin; end $$; b', ['do $$ begin; end $$', 'b']],
  ['as $one$ a; $$ ; $$ $one$; b', ['as $one$ a; $$ ; $$ $one$', 'b']],
  [
    'create function f() begin atomic select case when a then 1 end; select 2; end; b',
    ['create function f() begin atomic select case when a then 1 end; select 2; end', 'b'],
  ],
  ['-- a; b\nselect 1; -- c;\nselect 2', ['-- a; b\nselect 1', '-- c;\nselect 2']],
])('%s', (sql, statements) => {
  expect(texts(sql)).toEqual(statements)
})

test.each(readdirSync('db/migrations'))('%s is whole, and each statement begins as one', (name) => {
  const sql = readFileSync(join('db/migrations', name), 'utf8')
  const statements = sqlStatements(sql)
  expect(statements.length).toBeGreaterThan(0)
  for (const { text, at } of statements) {
    expect(sql.slice(at, at + text.length)).toBe(text)
    expect(text.replaceAll(/^\s*--[^\n]*\n/gm, '').trim()).toMatch(
      /^(alter|create|delete|do|drop|grant|insert|revoke|select|update|with|comment)\b/i,
    )
  }
})
