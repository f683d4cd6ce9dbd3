// Plans as the sessions of the write path have them, made by a client of a test.
import type pg from 'pg'
import { KEYED_PARAMETERS } from '../../../src/main/database/database.ts'
import type { Statement } from '../../../src/platform/db.ts'

/** Has the client plan as a keyed session does, for good or until its transaction ends. */
export async function planByKey(client: pg.Client, until: 'session' | 'transaction' = 'session'): Promise<void> {
  for (const [name, value] of Object.entries(KEYED_PARAMETERS))
    await client.query('select set_config($1, $2, $3)', [name, value, until === 'transaction'])
}

/** The plan that stays, whatever the values of a statement are. */
export const genericPlanOf = (client: pg.Client, text: string): Promise<string> =>
  explained(client, `explain (generic_plan) ${text}`, [])

/** The plan of a statement for its values. */
export const planOf = (client: pg.Client, { text, values }: Statement): Promise<string> =>
  explained(client, `explain ${text}`, values)

/** The same, and what became of it: it is carried out. */
export const playedPlanOf = (client: pg.Client, { text, values }: Statement): Promise<string> =>
  explained(client, `explain (analyze, buffers) ${text}`, values)

async function explained(client: pg.Client, text: string, values: Statement['values']): Promise<string> {
  const { rows } = await client.query<Record<'QUERY PLAN', string>>(text, [...values])
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}
