// What a change of the API document does to callers: one change of each sort is planted in it, and found.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { changesBetween } from '../../scripts/api-changes/changes.ts'
import { type Released, RELEASED, releasedText, unnamed } from '../../scripts/api-changes/released.ts'
import { type OpenApi, surfaceOf } from '../../scripts/api-changes/surface.ts'

const DOCUMENT = {
  info: { version: '2026-11-01' },
  paths: {
    '/things': {
      get: {
        operationId: 'things.list',
        security: [{ apiKey: ['things:read'] }, { bearer: ['things:read'] }],
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
          { $ref: '#/components/parameters/If-None-Match' },
        ],
        responses: {
          '200': {
            headers: { ETag: {}, 'Request-Id': {} },
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/Thing' } },
              'text/csv': { schema: {} },
            },
          },
          '304': { headers: { ETag: {} } },
          '404': { 'x-error-codes': ['thing_not_found', 'place_not_found'] },
        },
      },
      post: {
        operationId: 'things.create',
        security: [{ apiKey: [] }],
        requestBody: {
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/ThingRequest' } },
            'text/plain': { schema: {} },
          },
        },
        responses: { '200': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } } },
      },
    },
    '/health': { get: { operationId: 'health.get', security: [], responses: {} } },
  },
  webhooks: {
    'thing.made': {
      post: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
        responses: {},
      },
    },
  },
  components: {
    parameters: { 'If-None-Match': { name: 'If-None-Match', in: 'header', schema: { type: 'string' } } },
    schemas: {
      ThingRequest: {
        type: 'object',
        required: ['name'],
        additionalProperties: true,
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 40 },
          kind: { enum: ['a', 'b', null] },
          note: { type: ['string', 'null'] },
          amount: { type: 'number' },
          tags: { type: 'array', items: { type: 'string' } },
        },
      },
      Thing: {
        type: 'object',
        required: ['id', 'status'],
        properties: {
          id: { type: 'string', format: 'uuid' },
          status: { enum: ['draft', 'done'] },
          count: { type: 'integer' },
          parent: { anyOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'null' }] },
          action: { oneOf: [{ $ref: '#/components/schemas/Scan' }, { $ref: '#/components/schemas/Visit' }] },
          rest: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
      Scan: { type: 'object', properties: { type: { const: 'scan' } } },
      Visit: { type: 'object', properties: { type: { const: 'visit' } } },
    },
  },
}

/** The document with a value in place of the one at a path, or without it; a name with a slash in it ends with ~. */
function planted(document: object, at: string, value?: unknown): OpenApi {
  const copy = JSON.parse(JSON.stringify(document))
  const names = at.split(' ')
  const last = names.pop() ?? ''
  const holder = names.reduce((inner, name) => inner[name], copy)
  if (value !== undefined) holder[last] = value
  else if (Array.isArray(holder)) holder.splice(Number(last), 1)
  else delete holder[last]
  return copy as OpenApi
}

const changesOf = (at: string, value?: unknown) =>
  changesBetween(surfaceOf(planted(DOCUMENT, 'info version', '1')), surfaceOf(planted(DOCUMENT, at, value)))

const LIST = 'paths /things get'
const OPEN = 'paths /things post'
const REQUEST = 'components schemas ThingRequest'
const THING = 'components schemas Thing'

type Row = readonly [what: string, at: string, value?: unknown]
const rows = (all: readonly Row[]) => all.map(([what, at, value]) => ({ what, at, value }))

const BREAKING: readonly Row[] = [
  ['GET /health is gone', 'paths /health'],
  ['POST /things is gone', OPEN],
  ['GET /things is called things.all, no longer things.list', `${LIST} operationId`, 'things.all'],
  ['GET /health needs apiKey', 'paths /health get security', [{ apiKey: [] }]],
  [
    'POST /things is not open any more with apiKey: it needs apiKey things:write',
    `${OPEN} security 0 apiKey`,
    ['things:write'],
  ],
  ['GET /things is not open any more with bearer things:read: it needs apiKey things:read', `${LIST} security 1`],
  ['GET /things: query limit is gone', `${LIST} parameters 0`],
  ['GET /things: query limit is required', `${LIST} parameters 0 required`, true],
  ['GET /things: query limit has another maximum', `${LIST} parameters 0 schema maximum`, 50],
  ['GET /things: query limit has another minimum', `${LIST} parameters 0 schema minimum`, 2],
  ['GET /things: query limit has another default', `${LIST} parameters 0 schema default`, 10],
  ['GET /things: header If-None-Match is gone', `${LIST} parameters 1`],
  [
    'GET /things: query place is new and required',
    `${LIST} parameters 2`,
    { name: 'place', in: 'query', required: true, schema: {} },
  ],
  ['POST /things: body is required', `${OPEN} requestBody required`, true],
  ['POST /things: body is gone', `${OPEN} requestBody`],
  ['POST /things: body as text/plain is gone', `${OPEN} requestBody content text/plain`],
  ['ThingRequest.note is required', `${REQUEST} required 1`, 'note'],
  ['ThingRequest.note is gone', `${REQUEST} properties note`],
  ['ThingRequest.note is no longer null', `${REQUEST} properties note type`, 'string'],
  ['ThingRequest.kind is no longer b', `${REQUEST} properties kind enum`, ['a', null]],
  ['ThingRequest.name is only x, y', `${REQUEST} properties name enum`, ['x', 'y']],
  ['ThingRequest.name has another maxLength', `${REQUEST} properties name maxLength`, 39],
  ['ThingRequest.name has another minLength', `${REQUEST} properties name minLength`, 2],
  ['ThingRequest.name has another pattern', `${REQUEST} properties name pattern`, '^x'],
  ['ThingRequest.amount is integer, no longer number', `${REQUEST} properties amount type`, 'integer'],
  ['ThingRequest.tags[] is no longer string', `${REQUEST} properties tags items type`, 'boolean'],
  ['ThingRequest takes no other members', `${REQUEST} additionalProperties`, false],
  ['GET /things: 304 is gone', `${LIST} responses 304`],
  ['GET /things: 200 has no header ETag any more', `${LIST} responses 200 headers ETag`],
  ['GET /things: 200 as text/csv is gone', `${LIST} responses 200 content text/csv`],
  ['GET /things: 404 has no code place_not_found any more', `${LIST} responses 404 x-error-codes 1`],
  ['Thing.count is gone', `${THING} properties count`],
  ['Thing.id may be absent', `${THING} required 0`],
  ['Thing.id has another format', `${THING} properties id format`, 'uri'],
  ['Thing.id may be null', `${THING} properties id type`, ['string', 'null']],
  ['Thing.count may be string', `${THING} properties count type`, 'string'],
  ['Thing.count is number, no longer integer', `${THING} properties count type`, 'number'],
  ['Thing.status is no longer draft, done', `${THING} properties status enum`, ['begun']],
  ['Thing.action is no longer object Visit', `${THING} properties action oneOf 1`],
  ['Thing.rest.* may be null', `${THING} properties rest additionalProperties type`, 'null'],
  ['Scan.type is no longer scan', 'components schemas Scan properties type const', 'scanned'],
  ['thing.made is gone', 'webhooks thing.made'],
]

test.each(rows(BREAKING))('callers break where $what', ({ what, at, value }) => {
  const told = changesOf(at, value).filter(({ breaks }) => breaks)
  expect(told.map((change) => `${change.place} ${change.what}`)).toContain(what)
})

const HARMLESS: readonly Row[] = [
  ['POST /health is new', 'paths /health post', { operationId: 'health.post', responses: {} }],
  ['', `${LIST} security 0 apiKey`, []],
  ['', `${LIST} security 2`, { session: ['things:read'] }],
  ['GET /things: query place is new', `${LIST} parameters 2`, { name: 'place', in: 'query', schema: {} }],
  ['', `${LIST} parameters 0 schema maximum`, 200],
  ['ThingRequest.place is new', `${REQUEST} properties place`, { type: 'string' }],
  ['ThingRequest.name is optional', `${REQUEST} required 0`],
  ['ThingRequest.name may be null', `${REQUEST} properties name type`, ['string', 'null']],
  ['ThingRequest.kind may be c', `${REQUEST} properties kind enum`, ['a', 'b', 'c', null]],
  ['', `${REQUEST} properties name maxLength`],
  ['ThingRequest.tags[] may be any', `${REQUEST} properties tags items`, {}],
  ['GET /things: 429 is new', `${LIST} responses 429`, {}],
  ['GET /things: 404 has the code x', `${LIST} responses 404 x-error-codes 2`, 'x'],
  ['GET /things: 304 has the header X-More', `${LIST} responses 304 headers X-More`, {}],
  ['Thing.place is new', `${THING} properties place`, { type: 'string' }],
  ['Thing.count is always there', `${THING} required 2`, 'count'],
  ['Thing.status may be begun', `${THING} properties status enum 2`, 'begun'],
  [
    'Thing.action may be object Third',
    `${THING} properties action oneOf 2`,
    { type: 'object', properties: { type: { const: 'Third' } } },
  ],
  [
    'thing.gone is new',
    'webhooks thing.gone',
    { post: { requestBody: { content: { 'application/json': { schema: {} } } }, responses: {} } },
  ],
  ['', `${THING} properties id description`, 'In other words.'],
  ['', `${LIST} summary`, 'In other words.'],
]

test.each(rows(HARMLESS))('nobody breaks where $what ($at)', ({ what, at, value }) => {
  const changes = changesOf(at, value)
  expect(changes.filter(({ breaks }) => breaks)).toEqual([])
  expect(changes.map((change) => `${change.place} ${change.what}`)).toEqual(what === '' ? [] : [what])
})

test('a change in a named shape is told once, and breaking it is named once', () => {
  const changes = changesOf(`${THING} properties count`)
  expect(changes).toEqual([{ subject: 'Thing', place: 'Thing.count', what: 'is gone', breaks: true }])
  const changelog = (words: string) =>
    `# Changelog\n\n## [Unreleased]\n\n${words}\n## [0.1.0]\n\n### Breaking\n\n- \`Thing\`\n`
  expect(unnamed(changes, changelog(''))).toEqual(changes)
  expect(unnamed(changes, changelog('### Changed\n\n- `Thing` has no `count`.\n'))).toEqual(changes)
  expect(unnamed(changes, changelog('### Breaking\n\n- `Things` have no count.\n'))).toEqual(changes)
  expect(unnamed(changes, changelog('### Breaking\n\n- `Thing` has no `count`.\n\n### Fixed\n'))).toEqual([])
})

test('a keyword that the comparison does not know stops it', () => {
  expect(() => changesOf(`${THING} properties id contains`, {})).toThrow('keyword contains')
})

test('what is released is read as it was written, and the present document is compared whole', () => {
  const text = readFileSync(RELEASED, 'utf8')
  const released = JSON.parse(text) as Released
  expect(releasedText(released)).toBe(text)
  const now = surfaceOf(JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as OpenApi)
  expect(changesBetween(now, now)).toEqual([])
  const nothing = { ...now, operations: {}, events: {} }
  expect(changesBetween(nothing, now).filter(({ breaks }) => breaks)).toEqual([])
  expect(unnamed(changesBetween(now, nothing), '').length).toBeGreaterThan(100)
})
