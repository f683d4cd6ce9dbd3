// Which tables a statement names without saying their lane. It reads SQL as words: what a FROM, JOIN, USING, UPDATE, DELETE or INTO
// names, by alias and by sub-select, and which of their lanes are equal to a parameter, or to a lane that is. What it does not
// understand says nothing, so that a statement in an odd form is found fault with rather than let through.

/** Something that rows come from. What is no table of the schema (rows of a parameter, a sub-select, a CTE) has lanes that are known. */
type Source = {
  readonly name: string
  readonly alias: string
  readonly kind: 'tenant' | 'table' | 'known'
  has: boolean
}
/**
 * A SELECT, INSERT, UPDATE or DELETE. Aliases that it lacks are those around it; an open one has some that are not written here.
 * `gives`: the lane among the columns that it selects.
 */
type Scope = { readonly around: Scope | null; readonly sources: Source[]; isOpen: boolean; gives: Operand | null }
type Operand = 'parameter' | Source | { readonly qualifier: string | null }
type Equality = {
  readonly scope: Scope
  readonly sides: readonly [Operand, Operand]
  readonly about: (source: Source) => boolean
}
/** A parenthesis, and what stands in it at the moment. Of a call nothing counts: what it makes of a comparison is its own. */
type Frame = {
  scope: Scope
  clause: 'other' | 'sources' | 'condition' | 'call'
  equalities: Equality[]
  isEither: boolean
  cases: number
  join: 'inner' | 'left' | 'outer'
  /** How many sources stand before the join. */
  before: number
}
type Reading = {
  readonly tokens: readonly string[]
  at: number
  readonly isWhole: boolean
  readonly tables: ReadonlySet<string>
  readonly ctes: ReadonlySet<string>
  readonly sources: Source[]
  readonly equalities: Equality[]
}

const TOKENS = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|\$?\w+|::\s*\w+(?:\[\])?|<>|[<>!]=|\S/g
/** Comments, casts, and the quotes of names. */
const UNREAD = /^(--|\/\*|::|"$)/
/** What stands for a piece of SQL, or a parameter, that is put in when the statement is made. */
const PUT_IN = '$0'
const STARTS = new Set(['select', 'insert', 'update', 'delete', 'with', 'values', 'merge'])
const ENDS_SOURCES =
  /^(group|order|having|limit|offset|window|for|returning|set|values|select|fetch|union|intersect|except|with|do|when)$/
const NO_ALIAS = new RegExp(
  `${ENDS_SOURCES.source}|^(on|join|left|right|full|inner|outer|cross|natural|where|using|default|tablesample|and|or)$`,
)
/** Before a parenthesis, these are no name of a function. */
const NO_CALL = /^(and|or|where|on|in|from|join|using|lateral|then|else|by|select|only)$/

/** The tenant's tables of a statement, or of a piece of one, that are named with no lane, as often as they are. */
export function blindTables(sql: string, tables: readonly string[], isWhole: boolean): string[] {
  const words = withPutIn(sql).toLowerCase().match(TOKENS) ?? []
  const tokens = words.filter((token) => !UNREAD.test(token))
  const reading: Reading = {
    tokens,
    at: 0,
    isWhole,
    tables: new Set(tables),
    ctes: ctesIn(tokens),
    sources: [],
    equalities: [],
  }
  // A piece that is a sub-select has its lane said where it is put in, by the alias that it is given there.
  const piece = !isWhole && tokens[0] === '(' ? readParenthesis(reading, frameOf(scopeIn(null, true))) : null
  if (piece?.gives) reading.equalities.push({ scope: piece, sides: [piece.gives, 'parameter'], about: () => true })
  while (reading.at < tokens.length) {
    readGroup(reading, frameOf(scopeIn(null, !isWhole)), reading.equalities)
    reading.at += 1
  }
  spread(reading.equalities)
  return reading.sources
    .filter(({ kind, has }) => kind === 'tenant' && !has)
    .map(({ name, alias }) => (name === alias ? name : `${name} ${alias}`))
}

/** Writes one word for each `${…}`, whatever is in it. */
function withPutIn(sql: string): string {
  let written = ''
  let depth = 0
  for (let at = 0; at < sql.length; at += 1) {
    if (depth === 0 && sql.startsWith('${', at)) {
      written += ` ${PUT_IN} `
      depth = 1
      at += 1
    } else if (depth === 0) written += sql[at]
    else if (sql[at] === '{') depth += 1
    else if (sql[at] === '}') depth -= 1
  }
  return written
}

/** What the statement calls its common table expressions: `name as (select …`, `name (columns) as (select …`. */
function ctesIn(tokens: readonly string[]): Set<string> {
  const names = new Set<string>()
  for (const [at, token] of tokens.entries()) {
    if (token !== 'as') continue
    let open = at + 1
    while (tokens[open] === 'not' || tokens[open] === 'materialized') open += 1
    if (tokens[open] !== '(' || !STARTS.has(tokens[open + 1] ?? '')) continue
    names.add(tokens[tokens[at - 1] === ')' ? tokens.lastIndexOf('(', at) - 1 : at - 1] ?? '')
  }
  return names
}

/** Gives each lane that is equal to a known one to its table, until there is no more to give. */
function spread(equalities: readonly Equality[]): void {
  let hasChanged = true
  while (hasChanged) {
    hasChanged = false
    for (const { scope, sides, about } of equalities) {
      for (const [one, other] of [sides, sides.toReversed()] as [Operand, Operand][]) {
        const source = sourceOf(one, scope)
        // A condition of a sub-select says nothing of the rows around it: they are there without it, too.
        if (!source || source.has || !scope.sources.includes(source) || !about(source)) continue
        if (!isKnown(other, scope)) continue
        source.has = true
        hasChanged = true
      }
    }
  }
}

function isKnown(operand: Operand, scope: Scope): boolean {
  if (operand === 'parameter') return true
  const source = sourceOf(operand, scope)
  if (source) return source.has
  for (let each: Scope | null = scope; each; each = each.around) if (each.isOpen) return true
  return false
}

function sourceOf(operand: Operand, scope: Scope): Source | undefined {
  if (operand === 'parameter') return undefined
  if (!('qualifier' in operand)) return operand
  if (operand.qualifier === null) {
    // Said without a table, it is that of the only one; of several it would be ambiguous.
    const own = scope.sources.filter(({ kind }) => kind !== 'known')
    return own.length === 1 ? own[0] : undefined
  }
  for (let each: Scope | null = scope; each; each = each.around) {
    const found = each.sources.findLast(({ alias }) => alias === operand.qualifier)
    if (found) return found
  }
  return undefined
}

function scopeIn(around: Scope | null, isOpen = false): Scope {
  return { around, sources: [], isOpen, gives: null }
}

function frameOf(scope: Scope, clause: Frame['clause'] = 'other'): Frame {
  return { scope, clause, equalities: [], isEither: false, cases: 0, join: 'inner', before: 0 }
}

/** Reads up to the parenthesis that ends the group, and leaves there what it says, if it says it without an OR. */
function readGroup(reading: Reading, frame: Frame, into: Equality[]): void {
  for (
    let token = reading.tokens[reading.at];
    token !== undefined && token !== ')';
    token = reading.tokens[reading.at]
  ) {
    if (token === '(') readParenthesis(reading, frame)
    else if (frame.clause === 'call') reading.at += 1
    else readWord(reading, frame, token, into)
  }
  turn(frame, 'other', into)
}

/** Begins another clause: what was said in the one before is said. */
function turn(frame: Frame, clause: Frame['clause'], into: Equality[]): void {
  if (!frame.isEither) into.push(...frame.equalities)
  frame.equalities = []
  frame.isEither = false
  frame.clause = clause
}

/** What is in a parenthesis; the scope of it if that is a sub-select. */
function readParenthesis(reading: Reading, frame: Frame): Scope | null {
  const { tokens } = reading
  const before = tokens[reading.at - 1] ?? ''
  const isCall = frame.clause === 'call' || frame.cases > 0 || (/^\$?\w+$/.test(before) && !NO_CALL.test(before))
  if (frame.clause === 'condition' && !isCall) readTuple(reading, frame)
  let scope: Scope | null = null
  reading.at += 1
  if (STARTS.has(tokens[reading.at] ?? '')) {
    scope = scopeIn(frame.scope)
    readGroup(reading, frameOf(scope), reading.equalities)
  } else {
    readGroup(
      reading,
      { ...frame, clause: isCall ? 'call' : frame.clause, equalities: [], isEither: false },
      frame.equalities,
    )
  }
  reading.at += 1
  return scope
}

function readWord(reading: Reading, frame: Frame, token: string, into: Equality[]): void {
  const { tokens, at } = reading
  const [before, after] = [tokens[at - 1] ?? '', tokens[at + 1] ?? '']
  const isMarked = before === '.' || after === '.'
  reading.at += 1
  if (isMarked && token !== 'lane') return
  if (token === 'case') frame.cases += 1
  else if (token === 'end') frame.cases = Math.max(0, frame.cases - 1)
  else if (frame.cases > 0) return
  else if (token === 'from' && before === 'distinct' && tokens[at - 2] !== 'select') return
  else if (token === 'from' || token === 'into' || (token === 'update' && !/^(for|key|do|then)$/.test(before))) {
    turn(frame, 'sources', into)
    readSource(reading, frame, token !== 'from')
  } else if (token === 'join') {
    const side = before === 'outer' ? (tokens[at - 2] ?? '') : before
    turn(frame, 'sources', into)
    frame.join = side === 'left' ? 'left' : /^(right|full)$/.test(side) ? 'outer' : 'inner'
    frame.before = frame.scope.sources.length
    readSource(reading, frame, false)
  } else if (token === 'using' && after === '(') sayUsing(reading, frame)
  else if (token === 'using' || (token === ',' && frame.clause === 'sources')) {
    turn(frame, 'sources', into)
    frame.join = 'inner'
    readSource(reading, frame, false)
  } else if (token === 'where' || (token === 'on' && after !== 'conflict')) {
    turn(frame, 'condition', into)
    if (token === 'where') frame.join = 'inner'
  } else if (/^(union|intersect|except)$/.test(token)) {
    turn(frame, 'other', into)
    frame.scope = scopeIn(frame.scope.around, frame.scope.isOpen)
  } else if (ENDS_SOURCES.test(token) || token === 'on') turn(frame, 'other', into)
  else if (frame.clause === 'condition' && token === 'or') frame.isEither = true
  else if (frame.clause === 'condition' && token === 'lane') readEquality(reading, frame, at)
  else if (frame.clause === 'condition' && token === PUT_IN) sayPutIn(reading, frame, before, after)
  else if (frame.clause === 'other' && token === 'lane' && /^(,|from)$/.test(after) && !frame.scope.sources.length)
    frame.scope.gives = { qualifier: before === '.' ? (tokens[at - 2] ?? null) : null }
}

/** One thing that rows come from, with its alias; `isWritten` where the statement writes it. */
function readSource(reading: Reading, frame: Frame, isWritten: boolean): void {
  const { tokens, tables, ctes } = reading
  while (/^(only|lateral)$/.test(tokens[reading.at] ?? '')) reading.at += 1
  if (tokens[reading.at + 1] === '.') reading.at += 2
  const name = tokens[reading.at] ?? ''
  if (name === ')' || name === '') return
  let inside: Scope | null = null
  let kind: Source['kind'] = tables.has(name) ? 'tenant' : ctes.has(name) ? 'known' : 'table'
  if (name === '(') {
    const isJoin = !STARTS.has(tokens[reading.at + 1] ?? '') && tokens[reading.at + 1] !== PUT_IN
    if (isJoin) {
      reading.at += 1
      const inner = frameOf(frame.scope, 'sources')
      readSource(reading, inner, false)
      readGroup(reading, inner, frame.equalities)
      reading.at += 1
      return
    }
    inside = readParenthesis(reading, frame)
    kind = 'known'
  } else {
    reading.at += name === 'rows' && tokens[reading.at + 1] === 'from' ? 2 : 1
    if (tokens[reading.at] === '(' && !isWritten) {
      readParenthesis(reading, { ...frame, clause: 'call' })
      kind = 'known'
    }
  }
  if (tokens[reading.at] === 'with' && tokens[reading.at + 1] === 'ordinality') reading.at += 2
  const alias = aliasAt(reading)
  if (name === PUT_IN) {
    // A table that is not written out may be any of them; rows that are bring an alias of their own.
    kind = isWritten || alias !== null ? 'tenant' : 'known'
    frame.scope.isOpen ||= kind === 'known'
  }
  const source = { name: name === PUT_IN ? 'a table' : name, alias: alias ?? name, kind, has: kind === 'known' }
  // The rows that an INSERT writes have the lane that is their first column.
  if (isWritten && tokens[reading.at] === '(' && tokens[reading.at + 1] === 'lane') source.has = true
  frame.scope.sources.push(source)
  reading.sources.push(source)
  if (inside) passOn(reading, frame, inside, source)
}

/** A sub-select that selects a lane of its own has the lane of that, and the other way round. */
function passOn(reading: Reading, frame: Frame, inside: Scope, source: Source): void {
  const given = inside.gives && sourceOf(inside.gives, inside)
  if (!given || !inside.sources.includes(given)) return
  source.has = false
  for (const scope of [inside, frame.scope])
    reading.equalities.push({ scope, sides: [given, source], about: () => true })
}

function aliasAt(reading: Reading): string | null {
  const { tokens } = reading
  if (tokens[reading.at] === 'as') reading.at += 1
  const word = tokens[reading.at] ?? ''
  if (!/^[a-z_]\w*$/.test(word) || NO_ALIAS.test(word)) return null
  reading.at += 1
  return word
}

/** `join t using (lane, …)`: the lane of what is joined is that of what stood before it. */
function sayUsing(reading: Reading, frame: Frame): void {
  const close = reading.tokens.indexOf(')', reading.at)
  const hasLane = reading.tokens.slice(reading.at, close).includes('lane')
  reading.at = close + 1
  const [joined, ...earlier] = frame.scope.sources.toReversed()
  const before = earlier.find(({ kind }) => kind !== 'known') ?? earlier[0]
  if (hasLane && joined && before) say(frame, [joined, before])
}

/** A piece that is given a condition is given its lane with it, which is looked at where the piece is put in. */
function sayPutIn(reading: Reading, frame: Frame, before: string, after: string): void {
  const isAlone = /^(where|on|and)$/.test(before) && /^(and|\)|)$/.test(after)
  if (reading.isWhole || !isAlone) return
  for (const source of frame.scope.sources) say(frame, [source, 'parameter'])
}

/** `(c.lane, c.id) = (x.lane, x.id)`, `(lane, id) in (select …)`: place by place. */
function readTuple(reading: Reading, frame: Frame): void {
  const { tokens } = reading
  const left = operandsAt(tokens, reading.at)
  const place = left?.operands.findIndex((operand) => operand !== null && operand !== 'parameter') ?? -1
  if (!left || place === -1 || !/^(=|in)$/.test(tokens[left.end] ?? '') || tokens[left.end + 1] !== '(') return
  // What a sub-select gives is asked of its own tables.
  const isSelect = STARTS.has(tokens[left.end + 2] ?? '')
  const other = isSelect ? 'parameter' : operandsAt(tokens, left.end + 1)?.operands[place]
  if (other) say(frame, [left.operands[place] as Operand, other])
}

/** The parts of a list in parentheses, as far as they are lanes or parameters, and where it ends. */
function operandsAt(tokens: readonly string[], open: number): { operands: (Operand | null)[]; end: number } | null {
  const operands: (Operand | null)[] = []
  for (let at = open + 1; at < tokens.length; ) {
    operands.push(operandAt(tokens, at))
    at += tokens[at + 1] === '.' ? 3 : 1
    if (tokens[at] === ')') return { operands, end: at + 1 }
    if (tokens[at] !== ',') return null
    at += 1
  }
  return null
}

/** `lane`, `c.lane`, a parameter, or any(parameter); null for everything else. */
function operandAt(tokens: readonly string[], at: number): Operand | null {
  const [first = '', second, third] = tokens.slice(at, at + 3)
  if (/^\$\d+$/.test(first)) return 'parameter'
  if (first === 'any' && second === '(' && /^\$\d+$/.test(third ?? '')) return 'parameter'
  if (first === 'lane' && second !== '.') return { qualifier: null }
  return second === '.' && third === 'lane' ? { qualifier: first } : null
}

/** What the lane at this place is compared with, before or after it. */
function readEquality(reading: Reading, frame: Frame, at: number): void {
  const { tokens } = reading
  const isQualified = tokens[at - 1] === '.'
  const lane = { qualifier: isQualified ? (tokens[at - 2] ?? null) : null }
  const start = isQualified ? at - 2 : at
  const isAlone = (place: number) => !/^[-+*/%|]$/.test(tokens[place] ?? '')
  const other = tokens[at + 1] === '=' ? operandAt(tokens, at + 2) : null
  if (other && isAlone(at + 3)) say(frame, [lane, other])
  if (tokens[at + 1] === 'in' && tokens[at + 2] === '(') {
    const list = operandsAt(tokens, at + 2)
    if (list?.operands.every((operand) => operand === 'parameter')) say(frame, [lane, 'parameter'])
  }
  if (tokens[start - 1] === '=' && /^\$\d+$/.test(tokens[start - 2] ?? '')) say(frame, [lane, 'parameter'])
}

/** A join that keeps rows without a partner says nothing of those. */
function say(frame: Frame, sides: readonly [Operand, Operand]): void {
  const { scope, join, before } = frame
  const about = (source: Source) => join === 'inner' || (join === 'left' && scope.sources.indexOf(source) >= before)
  frame.equalities.push({ scope, sides, about })
}
