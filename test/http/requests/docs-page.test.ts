// The guide at GET /docs: rendered from a small document, some of it hostile.
import { describe, expect, test } from 'vitest'
import { REFUSALS } from '../../../src/domain/contract/refusals.ts'
import { docsPage } from '../../../src/http/docs/page.ts'
import { statusOf } from '../../../src/http/errors.ts'

const HOSTILE = `<script>alert("1")</script>&'`
const ESCAPED = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;'

const page = docsPage({
  info: { title: 'Parcels', version: '2026-11-01', description: HOSTILE },
  paths: { '/parcels': { post: { summary: HOSTILE }, get: {} }, '/parcels/{id}': { get: { summary: 'Get a parcel' } } },
})

/** The words of a stretch of the page, between two pieces of markup, without its tags. */
function wordsBetween(start: string, end: string): string {
  const from = page.indexOf(start)
  expect(from, `${start} is on the page`).toBeGreaterThan(-1)
  const markup = page.slice(from, page.indexOf(end, from + start.length))
  const apart = markup.replace(/<\/?(?:td|p|h\d|div)\b[^>]*>/g, ' ')
  return apart
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

describe('words of the document', () => {
  test('are escaped wherever they are put in', () => {
    expect(page).not.toContain('<script')
    expect(page.split(ESCAPED).length - 1).toBe(2)
  })

  test('reach no other host and run nothing', () => {
    expect(page).not.toMatch(/(?:src|href)\s*=\s*["']?(?:https?:)?\/\//i)
    expect(page).not.toMatch(/url\(|@import|<link|<img|<iframe|\son\w+=/i)
  })
})

describe('anchors', () => {
  const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)

  test('are unique, and every link within the page leads to one', () => {
    expect(ids.length).toBe(new Set(ids).size)
    const targets = [...page.matchAll(/href="#([^"]*)"/g)].map(([, target]) => target)
    expect(targets.length).toBeGreaterThan(Object.keys(REFUSALS).length)
    expect(targets.filter((target) => !ids.includes(target))).toEqual([])
  })

  test.each([...Object.keys(REFUSALS), 'missing_param', 'invalid_param'])('%s stands in the catalogue', (code) => {
    expect(ids).toContain(code)
    expect(wordsBetween(`<tr id="${code}">`, '</tr>')).toContain(String(statusOf(code)))
  })
})

test('every operation is named', () => {
  expect(wordsBetween('<tr><td><code>GET /parcels/{id}', '</tr>')).toBe('GET /parcels/{id} Get a parcel')
  expect(wordsBetween('<tr><td><code>GET /parcels<', '</tr>')).toBe('GET /parcels')
})
