// The API page: rendered from a small document that holds every construct once, some of it hostile.
import { describe, expect, test } from 'vitest'
import { REFUSALS } from '../../../src/domain/contract/refusals.ts'
import { docsPage } from '../../../src/http/docs/page.ts'
import { statusOf } from '../../../src/http/errors.ts'

const HOSTILE = `<script>alert("1")</script>&'`
const ESCAPED = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;'

const Parcel = {
  type: 'object',
  required: ['weight', 'sort'],
  description: HOSTILE,
  properties: {
    weight: { type: 'integer', minimum: 1, maximum: 30, description: 'Whole kilograms.' },
    sort: { enum: ['letter', 'box'] },
    note: { type: ['string', 'null'], maxLength: 40, examples: ["It's fragile"] },
    payer: { anyOf: [{ $ref: '#/components/schemas/Person' }, { type: 'null' }] },
    version: { const: 3 },
    inside: { type: 'array', items: { $ref: '#/components/schemas/Parcel' } },
    due: { type: 'string', format: 'date-time' },
    ways: {
      oneOf: [{ $ref: '#/components/schemas/Person' }, { type: 'object', properties: { truck: { type: 'boolean' } } }],
    },
  },
}

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Parcels', version: '2026-11-01', description: HOSTILE },
  servers: [{ url: '/' }],
  tags: [{ name: 'Unused' }, { name: 'Parcels' }],
  paths: {
    '/parcels': {
      post: {
        summary: HOSTILE,
        tags: ['Parcels'],
        security: [{ apiKey: [] }],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Parcel' } } } },
        responses: {
          200: { content: { 'application/json': { schema: { type: 'object', properties: { parcel: Parcel } } } } },
        },
      },
    },
    '/parcels/{id}': {
      get: {
        summary: 'Get a parcel',
        tags: ['Parcels'],
        security: [{ apiKey: [] }, { bearer: [] }],
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
          { name: 'limit', in: 'query', schema: { type: 'string', pattern: '^<\\d+$' }, description: HOSTILE },
        ],
        responses: {},
      },
    },
    '/alive': { get: { summary: 'Alive?', tags: ['Health'], security: [], responses: {} } },
  },
  components: {
    schemas: { Parcel, Person: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      bearer: { type: 'http', scheme: 'bearer' },
    },
  },
}

const page = docsPage(DOCUMENT)

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

const row = (field: string) => wordsBetween(`</span>${field}</code>`, '</tr>')

describe('words of the document', () => {
  test('are escaped wherever they are put in', () => {
    expect(page).not.toContain('<script')
    expect(page.split(ESCAPED).length - 1).toBeGreaterThanOrEqual(5)
    expect(page).toContain('matches ^&lt;\\d+$')
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
    // The top of a document is there without an anchor.
    expect(targets.filter((target) => target !== 'top' && !ids.includes(target))).toEqual([])
  })

  test.each([...Object.keys(REFUSALS), 'missing_param', 'invalid_param'])('%s stands in the catalogue', (code) => {
    expect(ids).toContain(code)
    expect(wordsBetween(`<tr id="${code}">`, '</tr>')).toContain(String(statusOf(code)))
  })
})

describe('an operation', () => {
  test('shows path, method and credentials', () => {
    const words = wordsBetween('id="op-get-parcels-id"', '</section>')
    expect(words).toContain('GET /parcels/{id}')
    expect(words).toContain('Credentials: API key or bearer token')
    expect(wordsBetween('id="op-get-alive"', '</section>')).toContain('no credentials')
  })

  test.each([
    ['weight', 'required integer Whole kilograms. 1 to 30'],
    ['sort', 'required string One of letter box'],
    ['note', 'string or null at most 40 characters'],
    ['payer', 'object or null'],
    ['version', 'number Always 3'],
    ['inside', 'array of object'],
    ['due', 'string (date-time)'],
    ['truck', 'boolean'],
  ])('shows the field %s', (field, words) => {
    expect(row(field)).toBe(`${field} ${words}`)
  })

  test('shows the members of a referred shape under its path', () => {
    expect(wordsBetween('<code><span class="parents">payer.', '</tr>')).toMatch(/payer\.name required string/)
  })

  test('has a command to copy, with what is required and what has an example', () => {
    const command = wordsBetween('curl -X POST', '</code>')
    const body = `{ &quot;weight&quot;: 1, &quot;sort&quot;: &quot;letter&quot;, &quot;note&quot;: &quot;It&#39;\\&#39;&#39;s fragile&quot; }`
    expect(command).toBe(
      'curl -X POST &quot;$BASE_URL/parcels&quot; \\ -H &quot;X-Api-Key: $API_KEY&quot; \\ ' +
        `-H &quot;Content-Type: application/json&quot; \\ -d &#39;${body}&#39;`,
    )
    expect(page).toContain('$BASE_URL/parcels/$PARCEL_ID?limit=10')
  })
})

test('a tag without operations is left out', () => {
  expect(page).not.toContain('Unused')
})
