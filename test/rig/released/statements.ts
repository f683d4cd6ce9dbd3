// The statements that a gateway sends, as they are kept with the data of its release: each login's, once.
import pg from 'pg'
import { APP_ROLE, OPERATOR_ROLE } from '../../../src/main/database/logins.ts'

export type SentStatement = { readonly role: string; readonly text: string }

/** What the owner sends are migrations and tests. */
const ROLES = [APP_ROLE, OPERATOR_ROLE]
const OF_ROWS = /^\s*(select|insert|update|delete|with)\b/i

/** Notes what this process sends from now on, until it is asked for; in the order of the texts. */
export function noteStatements(): () => SentStatement[] {
  const sent = new Map<string, SentStatement>()
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function noted(this: pg.Client, ...given: readonly unknown[]) {
    const [what] = given
    const text = typeof what === 'string' ? what : (what as { readonly text?: string } | null)?.text
    const role = this.user ?? ''
    if (ROLES.includes(role) && text !== undefined && OF_ROWS.test(text)) sent.set(`${role} ${text}`, { role, text })
    return Reflect.apply(query, this, given) as unknown
  } as typeof query
  return () => {
    pg.Client.prototype.query = query
    return [...sent.values()].toSorted((a, b) => (`${a.role} ${a.text}` < `${b.role} ${b.text}` ? -1 : 1))
  }
}

/** What a server says against the statements; empty where each can still be carried out by its login. */
export async function faultsOf(statements: readonly SentStatement[], login: pg.ClientConfig): Promise<string[]> {
  const faults: string[] = []
  const client = new pg.Client(login)
  await client.connect()
  try {
    // The plan that needs no values: it is parsed, its types are found, and its rights are looked at.
    for (const { text } of statements)
      await client.query(`explain (generic_plan) ${text}`).catch((fault: unknown) => {
        faults.push(`${(fault as Error).message}: ${text.trim().slice(0, 200)}`)
      })
  } finally {
    await client.end()
  }
  return faults
}
