// What has changed between two surfaces of the API, and which of it breaks who calls it.
import { type Change, compareShapes, type Comparison, note, type Place } from './shapes.ts'
import type { Operation, Parameter, Reply, Surface } from './surface.ts'

export function changesBetween(before: Surface, after: Surface): Change[] {
  const comparison: Comparison = { before: before.schemas, after: after.schemas, changes: [], seen: new Set() }
  both(comparison, before.operations, after.operations, at, (name, old, now) =>
    compareOperations(comparison, name, old, now),
  )
  both(comparison, before.events, after.events, at, (type, old, now) =>
    compareShapes(comparison, { subject: type, path: type, side: 'reply' }, old, now),
  )
  return comparison.changes
}

const at = (name: string): Place => ({ subject: name, path: name, side: 'request' })

/** Each that is there before and after is compared; what is gone breaks callers, and what is new does not. */
function both<Value>(
  comparison: Comparison,
  before: Readonly<Record<string, Value>>,
  after: Readonly<Record<string, Value>>,
  placeOf: (name: string) => Place,
  compare: (name: string, old: Value, now: Value) => void,
): void {
  for (const [name, old] of Object.entries(before)) {
    const now = after[name]
    if (now === undefined) note(comparison, placeOf(name), 'is gone', true)
    else compare(name, old, now)
  }
  for (const name of Object.keys(after)) if (!(name in before)) note(comparison, placeOf(name), 'is new', false)
}

function compareOperations(comparison: Comparison, name: string, old: Operation, now: Operation): void {
  const here = at(name)
  const part = (path: string): Place => ({ ...here, path: `${name}: ${path}` })
  if (old.id !== now.id) note(comparison, here, `is called ${now.id}, no longer ${old.id}`, true)
  compareCredentials(comparison, here, old.credentials, now.credentials)
  compareParameters(comparison, part, old.parameters, now.parameters)
  compareBodies(comparison, part, old.body, now.body)
  both(
    comparison,
    old.replies,
    now.replies,
    (status) => part(status),
    (status, before, after) => compareReplies(comparison, { ...part(status), side: 'reply' }, before, after),
  )
}

type Credentials = Operation['credentials']

/** Who came in before comes in still: some alternative asks for nothing that they did not have. */
function compareCredentials(comparison: Comparison, place: Place, old: Credentials, now: Credentials): void {
  const told = (each: Credentials[number]) =>
    Object.entries(each)
      .map(([scheme, scopes]) => [scheme, ...scopes].join(' '))
      .join(' and ')
  if (old.length === 0 && now.length > 0) note(comparison, place, `needs ${now.map(told).join(' or ')}`, true)
  if (now.length === 0) return
  for (const had of old) {
    const suffices = now.some((asked) =>
      Object.entries(asked).every(
        ([scheme, scopes]) => scheme in had && scopes.every((scope) => had[scheme]?.includes(scope)),
      ),
    )
    if (!suffices)
      note(comparison, place, `is not open any more with ${told(had)}: it needs ${now.map(told).join(' or ')}`, true)
  }
}

type Parameters = Operation['parameters']

function compareParameters(
  comparison: Comparison,
  part: (path: string) => Place,
  before: Parameters,
  after: Parameters,
): void {
  for (const [name, old] of Object.entries(before)) {
    const now: Parameter | undefined = after[name]
    if (now === undefined) note(comparison, part(name), 'is gone', true)
    else {
      if (now.required && !old.required) note(comparison, part(name), 'is required', true)
      compareShapes(comparison, part(name), old.schema, now.schema)
    }
  }
  for (const [name, { required }] of Object.entries(after))
    if (!(name in before)) note(comparison, part(name), required ? 'is new and required' : 'is new', required)
}

function compareBodies(
  comparison: Comparison,
  part: (path: string) => Place,
  old: Operation['body'],
  now: Operation['body'],
): void {
  const here = part('body')
  if (now === null) {
    if (old !== null) note(comparison, here, 'is gone', true)
    return
  }
  if (now.required && old?.required !== true) note(comparison, here, 'is required', true)
  both(
    comparison,
    old?.content ?? {},
    now.content,
    (media) => part(`body as ${media}`),
    (_, before, after) => compareShapes(comparison, here, before, after),
  )
}

function compareReplies(comparison: Comparison, place: Place, old: Reply, now: Reply): void {
  const words = (kind: string, before: readonly string[], after: readonly string[]) => {
    for (const each of before.filter((name) => !after.includes(name)))
      note(comparison, place, `has no ${kind} ${each} any more`, true)
    for (const each of after.filter((name) => !before.includes(name)))
      note(comparison, place, `has the ${kind} ${each}`, false)
  }
  words('header', old.headers, now.headers)
  words('code', old.codes, now.codes)
  both(
    comparison,
    old.content,
    now.content,
    (media) => ({ ...place, path: `${place.path} as ${media}` }),
    (_, before, after) => compareShapes(comparison, place, before, after),
  )
}
