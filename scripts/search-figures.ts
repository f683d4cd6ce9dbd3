// npm run build && node dist/scripts/search-figures.js [--small 10000] [--large 1000000] [--rounds 100]: the same questions by HTTP
// of an account with few contracts and of one with many, each in a database of its own, in turns. Prints the medians and their
// ratio; ends with 1 where one kind of question is more than twice as slow among the many.
import { parseArgs } from 'node:util'
import pg from 'pg'
import { type GatewayProcess, openGatewayProcess, ownerConnection } from '../test/rig/gateway-process.ts'
import { fillContracts } from '../test/rig/search/fill.ts'
import { drawn, QUESTIONS } from '../test/rig/search/persons.ts'

const RATIO_MAX = 2

const { values } = parseArgs({
  options: {
    small: { type: 'string', default: '10000' },
    large: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '100' },
  },
})
const [small, large, rounds] = [values.small, values.large, values.rounds].map(Number) as [number, number, number]
if (![small, large, rounds].every((count) => Number.isSafeInteger(count) && count > 0)) {
  console.error('usage: node dist/scripts/search-figures.js [--small 10000] [--large 1000000] [--rounds 100]')
  process.exit(2)
}

type Books = {
  readonly gateway: GatewayProcess
  readonly contracts: number
  readonly ask: (query: string) => Promise<number>
}

const opened: GatewayProcess[] = []
try {
  const books = [await openBooks(small), await openBooks(large)] as const
  process.exitCode = (await compare(books)) ? 0 : 1
} finally {
  for (const gateway of opened) await gateway.remove()
}

/** A gateway on a database with so many contracts. */
async function openBooks(contracts: number): Promise<Books> {
  const gateway = await openGatewayProcess({}, { LOG_LEVEL: 'warn', GATEWAY_RATE_LIMIT: '0' })
  opened.push(gateway)
  gateway.launch()
  await gateway.ready()
  const headers = { 'x-api-key': gateway.dev().api_key, 'content-type': 'application/json' }
  const { recipient, reference } = drawn(0)
  const draft = {
    amount: 1,
    currency: 'PHP',
    recipient,
    deliverable: { reference_id: reference },
    metadata: { order: '0' },
  }
  const made = await fetch(`${gateway.url}/contracts/transfer`, {
    method: 'POST',
    headers,
    body: JSON.stringify(draft),
  })
  const { data } = (await made.json()) as { data: { contract: { id: string } } }
  const client = new pg.Client(ownerConnection(gateway.dataDir))
  await client.connect()
  const began = performance.now()
  const { rows } = await client.query<{ lane: number; account_id: string }>(
    'select lane, account_id from contracts where id = $1',
    [data.contract.id],
  )
  const [owner] = rows
  if (!owner) throw new Error('the contract that is to be copied is not there')
  const template = { lane: owner.lane, accountId: owner.account_id, contractId: data.contract.id }
  await fillContracts(client, template, contracts)
  const { rows: sizes } = await client.query<{ size: string; terms: string }>(
    `select pg_size_pretty(pg_total_relation_size('search_terms')) as size, count(*) as terms from search_terms`,
  )
  await client.end()
  const seconds = Math.round((performance.now() - began) / 1000)
  console.log(
    `${contracts} contracts written in ${seconds} s; search_terms: ${sizes[0]?.terms} rows, ${sizes[0]?.size}`,
  )
  const ask = async (query: string) => {
    const from = performance.now()
    const reply = await fetch(`${gateway.url}/search?q=${encodeURIComponent(query)}`, { headers })
    const { data: found } = (await reply.json()) as { data: { results: unknown[]; indexed_until: string | null } }
    const took = performance.now() - from
    if (reply.status !== 200 || found.indexed_until !== null) throw new Error(`${query}: ${reply.status}`)
    if (found.results.length === 0 && !query.startsWith('nobody')) throw new Error(`${query} finds nothing`)
    return took
  }
  return { gateway, contracts, ask }
}

/** Asks in turns, so that neither size always follows the other. True where no kind is slower than it may be. */
async function compare(books: readonly [Books, Books]): Promise<boolean> {
  let isFast = true
  console.log(`question             ${books.map(({ contracts }) => `${contracts}, ms`.padStart(14)).join('')}   ratio`)
  for (const [kind, question] of QUESTIONS) {
    const times: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round++)
      for (const side of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        const { contracts, ask } = books[side]
        times[side].push(await ask(question((round * 7919) % contracts)))
      }
    const [few, many] = [median(times[0]), median(times[1])]
    const ratio = many / few
    isFast &&= ratio <= RATIO_MAX
    console.log(`${kind.padEnd(21)}${few.toFixed(2).padStart(14)}${many.toFixed(2).padStart(14)}   ${ratio.toFixed(2)}`)
  }
  console.log(
    isFast
      ? `no question takes more than ${RATIO_MAX} times as long`
      : `one takes more than ${RATIO_MAX} times as long`,
  )
  return isFast
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}
