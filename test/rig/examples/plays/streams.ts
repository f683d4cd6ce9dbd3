// Streams as they are followed over a connection: they have no end, so the first thing that they tell is the example.
import type { Stage } from '../stage.ts'
import { SALARY } from './transfers.ts'

export async function streams(stage: Stage): Promise<void> {
  const { world, played } = stage
  const events = { types: 'contract.created' }
  const happened = await firstOf(stage, '/events/stream', events, () => world.caller.draft(SALARY))
  played.stream('events.stream', { query: events }, happened)
  await played.ask('events.stream', { query: { types: 'contract.payed' } })
  const changed = await firstOf(stage, '/events/changes', {}, () => world.caller.draft(SALARY))
  played.stream('events.changes', { query: {} }, changed)
  await played.ask('events.changes', { as: {} })
  const requests = { operation: 'transfers.create', status: '400' }
  const asked = await firstOf(stage, '/requests/stream', requests, () =>
    world.caller.ask('POST', '/contracts/transfer', { body: { amount: 1500 } }),
  )
  played.stream('requests.stream', { query: requests }, asked)
  await played.ask('requests.stream', { as: {} })
}

/** The first thing that is told after the stream is open and something was done. */
async function firstOf(
  { address, world }: Stage,
  path: string,
  query: Readonly<Record<string, string>>,
  act: () => Promise<unknown>,
): Promise<string> {
  const headers = { 'x-api-key': world.caller.apiKey }
  const signal = AbortSignal.timeout(60_000)
  const reply = await fetch(`${address}${path}?${new URLSearchParams(query).toString()}`, { headers, signal })
  if (!reply.body) throw new Error(`${path} is no stream: ${reply.status}`)
  await act()
  let text = ''
  for await (const part of reply.body.pipeThrough(new TextDecoderStream())) {
    text += part
    const [told] = /^(?:id: .*\n)?event: .*\ndata: .*\n\n/m.exec(text) ?? []
    if (told !== undefined) return told
  }
  throw new Error(`${path} ended: ${text}`)
}
