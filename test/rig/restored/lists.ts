// What the gateway shows at the end of the day of a restore: to tenants their contracts, and to operators what fits none of them.
import pg from 'pg'
import { askForAll, type Caller, type Contract } from '../caller.ts'
import { ownerConnection } from '../gateway-process.ts'
import type { ShownContract } from './day-books.ts'
import type { ShownPayment } from './payment-books.ts'

export async function contractsOf(callers: readonly Caller[]): Promise<ShownContract[]> {
  const all: ShownContract[] = []
  for (const [tenant, caller] of callers.entries()) {
    const own = await askForAll<Contract>(caller, '/contracts/transfer', 'contracts')
    all.push(...own.map((each) => ({ ...each, tenant })))
  }
  return all
}

export async function paymentsOf([first]: readonly Caller[]): Promise<ShownPayment[]> {
  const own = first ? await askForAll<Omit<ShownPayment, 'tenant'>>(first, '/contracts/payment', 'contracts') : []
  return own.map((each) => ({ ...each, tenant: 0 }))
}

/** What the provider told, and fits no contract: operators see it in their list of open events. */
export async function unmatchedEvents(dataDir: string): Promise<string[]> {
  const client = new pg.Client(ownerConnection(dataDir))
  await client.connect()
  try {
    const { rows } = await client.query<{ body: string }>(
      `select body from payment_events where status in ('unmatched', 'needs_review') and body is not null`,
    )
    return rows.map(({ body }) => body)
  } finally {
    await client.end()
  }
}
