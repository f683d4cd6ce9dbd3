// What the tests of commands ask for, in few words.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Static } from 'typebox'
import type { Command, CommandRowShape } from '../../../src/wire/commands/commands.ts'
import { type Caller, READY, type Reply } from '../../world.ts'

export type CommandBody = Static<typeof Command>
export type RowBody = Static<typeof CommandRowShape>

const commandIn = (reply: Reply): CommandBody => {
  expect(reply.status, reply.text).toBe(200)
  return reply.data['command'] as CommandBody
}
export const give = async (caller: Pick<Caller, 'ask'>, body: object) =>
  commandIn(await caller.ask('POST', '/commands', { body }))
const look = async (caller: Caller, id: string) => commandIn(await caller.ask('GET', `/commands/${id}`))
export const move = async (caller: Caller, id: string, verb: string) =>
  commandIn(await caller.ask('PUT', `/commands/${id}/${verb}`))
export const rowsOf = (caller: Caller, id: string) => caller.all<RowBody>(`/commands/${id}/rows`, 'rows')

async function when(caller: Caller, id: string, isSo: (command: CommandBody) => boolean): Promise<CommandBody> {
  for (const until = Date.now() + 60_000; Date.now() < until; await sleep(20)) {
    const command = await look(caller, id)
    if (isSo(command)) return command
  }
  throw new Error(`the command did not come so far: ${JSON.stringify(await look(caller, id))}`)
}

export const ended = (caller: Caller, id: string) => when(caller, id, ({ ended_at: at }) => at !== null)
export const paused = (caller: Caller, id: string) => when(caller, id, ({ status }) => status === 'paused')
/** Gives a command and waits until it is over. */
export async function run(caller: Caller, body: object): Promise<CommandBody> {
  const { id } = await give(caller, body)
  return ended(caller, id)
}

export const drafts = (count: number, fields: object = {}) =>
  Array.from({ length: count }, (_, i) => ({ ...READY, amount: 100 + i, ...fields }))

/** The events of commands, by their types, oldest first. */
export async function told(caller: Caller, id: string): Promise<string[]> {
  const events = await caller.all<{ type: string; data: { object: { id: string } } }>('/events', 'events')
  return events.filter(({ data }) => data.object.id === id).map(({ type }) => type)
}
