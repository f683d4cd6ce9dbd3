// A text of SQL taken apart into its statements. Knows what may hide a semicolon: quotes, dollar quotes, comments, and the bodies of functions.

export type SqlStatement = {
  readonly text: string
  /** How many characters of the whole text stand before it. */
  readonly at: number
}

/** What has no end of a statement in it, whatever it is; what begins with the letters of another goes ahead. */
const TOKENS = [
  /--[^\n]*/y,
  /\/\*[\s\S]*?\*\//y,
  /[eE]'(?:[^'\\]|\\[\s\S]|'')*'/y,
  /'(?:[^']|'')*'/y,
  /"(?:[^"]|"")*"/y,
  /\$(\w*)\$[\s\S]*?\$\1\$/y,
  // A name, so that neither the e of one nor a $ in one begins anything.
  /[A-Za-z_][\w$]*(?!')/y,
] as const

const isBlank = (text: string) => text.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, '').trim() === ''

/** The statements in their order, each with the comments before it; joined by semicolons they are the text. */
export function sqlStatements(sql: string): SqlStatement[] {
  const statements: SqlStatement[] = []
  let at = 0
  // Within the body of a function (BEGIN ATOMIC) and its CASEs, each of which has an end of its own.
  let depth = 0
  for (let place = 0; place <= sql.length; ) {
    if (place === sql.length || (sql[place] === ';' && depth === 0)) {
      const text = sql.slice(at, place)
      if (!isBlank(text)) statements.push({ text, at })
      at = ++place
      continue
    }
    const token = tokenAt(sql, place)
    place += token.length
    depth += deeper(token, depth, sql.slice(place, place + ATOMIC_WITHIN))
  }
  return statements
}

const ATOMIC_WITHIN = 20

/** By how much the body of a function goes on deeper with this word. */
function deeper(token: string, depth: number, next: string): -1 | 0 | 1 {
  const word = token.toLowerCase()
  if (depth === 0) return word === 'begin' && /^\s+atomic\b/i.test(next) ? 1 : 0
  if (word === 'end') return -1
  return word === 'case' ? 1 : 0
}

/** What belongs together from here on. */
function tokenAt(sql: string, place: number): string {
  for (const each of TOKENS) {
    each.lastIndex = place
    const found = each.exec(sql)
    if (found) return found[0]
  }
  return sql.charAt(place)
}
