// What differs from run to run, replaced by what does not: ids in the order in which they appear, times by how far they are
// from the beginning of the run, secrets by what they are.

/** Members whose value opens something or is of chance, and what is shown in its place. */
const SHOWN: Readonly<Record<string, unknown>> = {
  // An hour before something happened that the run did not see.
  read_from: '2026-11-02T01:00:00.000Z',
  access_token: 'gat_example',
  api_key: 'gck_test_example',
  secret: 'whsec_example',
  bearer_token: 'example',
  bearer_token_hint: '…mple',
  hint: '…mple',
  request_id: 'req_example',
  svg: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  duration_ms: 1,
  last_used_on: null,
  next: null,
  challenge: 'Y2hhbGxlbmdl',
  clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4ifQ',
  attestationObject: 'o2NmbXRkbm9uZQ',
  authenticatorData: 'YXV0aGVudGljYXRvcg',
  signature: 'c2lnbmF0dXJl',
  'service-signature': 't=1793584800,v1=example',
  'webhook-signature': 'v1,example',
  terms_hash: '5f0c1d2e3b4a59687786950a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e',
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g
/** An id without its dashes, as events and rails have it. */
const BARE = /(?<![0-9a-f])[0-9a-f]{12}[1-8][0-9a-f]{3}[89ab][0-9a-f]{15}(?=[0-9a-f]{3,4}(?:_\d+)?\b)/g
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
/** A quarter of an hour to come is one of a rail's clock, such as a cut-off: it depends on when the run is, and on nothing that was done. */
const CLOCK = /^\d{4}-\d\d-\d\dT\d\d:(00|15|30|45):00\.000Z$/
const CUT_OFF = '2026-11-02T07:00:00.000Z'
const ARRIVAL = '2026-11-02T09:00:00.000Z'
/** The text of a stream of events. */
const STREAM = /^(id|event|data): .*\n/
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:4000'],
  [/\/pay\/[\w.~-]+$/g, '/pay/example'],
  [/\b(gc[ei])_[\w-]+/g, '$1_example'],
  [/\b(code_challenge|state|nonce)=[\w-]+/g, '$1=example'],
  // The place of an event among all of its account.
  [/\bdlv_[1-9]\d*_/g, 'dlv_42_'],
  // When a rail leaves next depends on when the run is.
  [/(?<before>leaves at the cut-off of \w+ at )[\dT:+-]+/g, '$<before>2026-11-02T15:00:00+08:00'],
  [/(?<before>and arrives by )\d[\dT:+-]+/g, '$<before>2026-11-02T17:00:00+08:00'],
  [/\breq_\w+/g, 'req_example'],
  // The version of a table of the product is a hash of it: no word of an error may change the examples.
  [/^[0-9a-f]{16}$/g, '0123456789abcdef'],
  [/\b([a-z]{2,4})_[0-9a-f]{20,32}\b/g, '$1_example'],
]

/** The moment that the examples begin at. */
const PLAYED_MS = Date.UTC(2026, 10, 2, 2)
/** A run takes less; all that is told within one such step is told at its beginning. */
const STEP_MS = 30 * 60_000
const DAY_MS = 86_400_000
const FAR_MS = 20 * 365 * DAY_MS

/** What of a run is of chance and can be told by nothing but its value. */
export type Chance = {
  readonly beganMs: number
  /** Of API keys: ten characters, which nothing tells from words. */
  readonly keyIds: readonly string[]
  /** Values that stand alone or, where they are long, in a text; and what is shown instead. */
  readonly hidden: ReadonlyMap<string, string>
}

type Line = Readonly<Partial<Record<string, string | number>>>

/**
 * Lines of a recovery are told in the order of their references, by chance where two contracts are of one millisecond, as rows of a command
 * are: here in the order of their amounts.
 */
function byAmount(lines: readonly unknown[]): readonly unknown[] {
  const groupOf = ({ channel, kind, words }: Line) => `${channel} ${kind} ${words}`
  const groups = [...new Set(lines.map((line) => groupOf(line as Line)))]
  const place = (line: unknown) => groups.indexOf(groupOf(line as Line))
  const amount = (line: unknown) => Number((line as Line)['amount'] ?? 0)
  return lines.toSorted((a, b) => place(a) - place(b) || amount(a) - amount(b))
}

/** Short values could be a part of other texts by chance. */
const LONG = 16

export function steady(value: unknown, { beganMs, keyIds, hidden }: Chance): unknown {
  const ids = new Map<string, string>()
  const longest = [...hidden].filter(([each]) => each.length >= LONG)
  const idOf = (uuid: string) => {
    const known = ids.get(uuid) ?? `01932c07-0000-7000-8000-${String(ids.size + 1).padStart(12, '0')}`
    ids.set(uuid, known)
    return known
  }
  const bareOf = (hex: string) => idOf(hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')).replaceAll('-', '')
  const timeOf = (ms: number) => PLAYED_MS + Math.max(0, Math.floor((ms - beganMs) / STEP_MS)) * STEP_MS
  /** The first moment of the last days is as many days before the beginning; null for any other. */
  const daysBefore = (ms: number) => {
    // Midnight was asked for: it is no moment before this run, though it may be by chance, in the minutes around midnight.
    if (ms % DAY_MS === 0) return null
    const days = Math.round((ms - beganMs) / DAY_MS)
    return days < 0 && Math.abs(ms - beganMs - days * DAY_MS) < STEP_MS ? PLAYED_MS + days * DAY_MS : null
  }
  const textOf = (text: string) => {
    if (TIME.test(text))
      return Date.parse(text) < beganMs - STEP_MS ? text : new Date(timeOf(Date.parse(text))).toISOString()
    const open = longest.reduce((before, [each, shown]) => before.replaceAll(each, shown), text)
    const named = keyIds.reduce(
      (before, id, index) => before.replaceAll(id, `Key${String(index).padStart(7, '0')}`),
      open,
    )
    const plain = named.replaceAll(UUID, idOf).replaceAll(BARE, bareOf)
    return OTHERS.reduce((before, [pattern, shown]) => before.replaceAll(pattern, shown), plain)
  }
  const visit = (each: unknown, name: string): unknown => {
    const known = typeof each === 'string' ? hidden.get(each) : undefined
    if (known !== undefined) return known
    if (typeof each === 'string' && STREAM.test(each)) return streamOf(each)
    // The body of a request, as it was sent.
    if (typeof each === 'string' && each.startsWith('{"')) return JSON.stringify(visit(JSON.parse(each), name))
    if (name === 'webhook-timestamp') return String(PLAYED_MS / 1000)
    if (name in SHOWN && each !== null && typeof each !== 'object') return SHOWN[name]
    // So far ahead only what was sent lies, which is the same in each run.
    if (typeof each === 'string' && TIME.test(each) && Date.parse(each) > beganMs + FAR_MS) return each
    if (typeof each === 'string' && CLOCK.test(each) && Date.parse(each) > beganMs)
      return name === 'arrives_at' ? ARRIVAL : CUT_OFF
    const begun =
      (name === 'from' || name === 'due_at') && typeof each === 'string' && TIME.test(each)
        ? daysBefore(Date.parse(each))
        : null
    if (begun !== null) return new Date(begun).toISOString()
    if (typeof each === 'string') return textOf(each)
    if (typeof each === 'number' && name === 'created_at') return PLAYED_MS / 1000
    if (Array.isArray(each))
      return (name === 'lines' ? byAmount(each) : each).map((inner: unknown) => visit(inner, name))
    if (typeof each !== 'object' || each === null) return each
    // The key of an account that is made while the examples are played.
    const of = name === 'asked_by' && 'type' in each && each.type === 'key' ? { ...each, id: 'Key0000000' } : each
    return Object.fromEntries(Object.entries(of).map(([key, inner]) => [key, visit(inner, key)]))
  }
  const streamOf = (text: string) =>
    text.replaceAll(/^(id|data): (.*)$/gm, (_, name: string, told: string) =>
      name === 'id' ? `id: ${textOf(told)}` : `data: ${JSON.stringify(visit(JSON.parse(told), ''))}`,
    )
  return visit(value, '')
}
