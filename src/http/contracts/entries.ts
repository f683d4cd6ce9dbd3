// GET /contracts/{kind}/{id}/entries: the ledger rows that a contract made, oldest first.
import { bookedBy } from '../../domain/contract/entries.ts'
import type { Contract } from '../../domain/contract/contract.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import { contractEntryFrom, listContractEntries } from '../../ledger/contract-entries.ts'
import { IdParams, ListQuery } from '../../wire/api.ts'
import { ContractEntriesReply, presentContractEntry } from '../../wire/contracts/entries.ts'
import { callerOf, type Context, described, guard, parserOf } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { limitOf, pageOf } from '../pages.ts'
import { succeed } from '../replies.ts'
import { contractOf, placeAfter, READ, TAGS } from './reading.ts'

export function contractEntryRoutes(context: Context): void {
  entryList(context, 'transfer')
  entryList(context, 'payment')
}

function entryList(context: Context, kind: Contract['kind']): void {
  const { app } = context
  const schema = described(
    `${kind}s.entries`,
    `List the ledger rows of a ${kind} contract, oldest first`,
    TAGS[kind],
    { params: IdParams, querystring: ListQuery, reply: ContractEntriesReply },
    READ,
    { refusals: ['contract_not_found'] },
  )
  const parse = parserOf(ListQuery)
  app.get(`/contracts/${kind}/:id/entries`, { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const query = parse(request.query)
    const from = placeAfter(query.after)
    const contract = await contractOf(context, request, kind)
    if (isRefusal(contract)) return sendRefusal(reply, contract)
    // A contract has a handful; rows are only ever added at the end.
    const entries = (await entriesOf(context, contract)).map((entry, index) => ({ entry, index }))
    const limit = limitOf(query)
    const page = pageOf(entries.slice(from, from + limit + 1), limit, ({ index }) => String(index))
    const balances = callerOf(request).scopes.has('wallets:read') ? 'shown' : 'withheld'
    return succeed(reply, 200, 'Entries found.', {
      entries: page.rows.map(({ entry }) => presentContractEntry(entry, balances)),
      next: page.next,
    })
  })
}

async function entriesOf({ deps }: Context, contract: Contract) {
  const booked = bookedBy(contract)
  if (booked === null) return []
  const [result] = await deps.reader.send([listContractEntries(contract, contract.id, booked)])
  return (result?.rows ?? []).map(contractEntryFrom)
}
