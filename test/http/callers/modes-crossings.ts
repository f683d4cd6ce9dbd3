// What one side of the wall between test and live may know and do of the other: nothing, in the forms that routes have for it.
import { expect } from 'vitest'
import type { Method, Reply } from '../../world.ts'
import { type Side, stateOf } from './modes-stage.ts'

/** What one side asks about what the other owns. */
export type Crossing = (asking: Side, owning: Side) => Promise<void>
export type Body = Readonly<Record<string, unknown>>

export const coded = ({ status, error }: Reply) => [status, error?.code]
const CROSSED = [409, 'channel_not_in_mode']

export const ABSENT = '01890000-0000-7000-8000-000000000001'
/** What a refusal says, whoever asked. */
export const words = ({ text }: Reply) => text.replace(/req_[0-9a-z]+/, 'req')

/** The other side's thing does not exist, byte for byte, and stays as it is. */
export const absent =
  (method: Method, path: string, make: (side: Side) => Promise<string>, body?: Body): Crossing =>
  async (asking, owning) => {
    const id = await make(owning)
    const before = await stateOf(owning)
    const sent = body === undefined ? {} : { body }
    const [outer = '', inner = 'dlv_1_0'] = id.split('/')
    const at = (each: string) => path.replace('{id}', each).replace(/\{\w+\}/, inner)
    const theirs = await asking.caller.ask(method, at(outer), sent)
    const none = await asking.caller.ask(method, at(ABSENT), sent)
    expect([theirs.status, words(theirs)]).toEqual([404, words(none)])
    expect(await stateOf(owning)).toEqual(before)
  }

/** A thing of one's own does not take the other side's channel; the refusal names those that fit. */
export const refused =
  (
    method: Method,
    path: string,
    make: (side: Side) => Promise<string>,
    body: (owning: Side) => Body,
    param: string,
  ): Crossing =>
  async (asking, owning) => {
    const id = await make(asking)
    const before = await stateOf(asking)
    const reply = await asking.caller.ask(method, path.replace('{id}', id), { body: body(owning) })
    expect([...coded(reply), reply.error.param]).toEqual([...CROSSED, param])
    const named = asking.channels.filter((channel) => reply.error.message.includes(channel))
    expect(reply.error.message).toContain(owning.word === 'test' ? 'moves TEST money' : 'moves live money')
    expect(named.length, reply.error.message).toBeGreaterThan(1)
    for (const channel of owning.channels.slice(0, 2))
      expect(reply.error.message.split('Choose one of:')[1], reply.error.message).not.toContain(channel)
    expect(await stateOf(asking)).toEqual(before)
  }

/** Lists without pages. */
const WHOLE = ['wallets', 'webhook_endpoints', 'members', 'sessions', 'passkeys', 'verifiers']

/** A list has nothing of the other side. */
export const without =
  (path: string, member: string, make: (side: Side) => Promise<string>): Crossing =>
  async (asking, owning) => {
    const [mine, theirs] = [await make(asking), await make(owning)]
    const isPaged = !WHOLE.includes(member)
    const text = isPaged
      ? JSON.stringify(await asking.caller.all(path, member))
      : (await asking.caller.ask('GET', path)).text
    expect(text).toContain(mine)
    expect(text).not.toContain(theirs)
  }

/** What is made belongs to the key's mode, and nothing that could be sent makes it another. */
export const ownMode =
  (method: Method, path: string, body: Body, modeIn: (reply: Reply) => unknown): Crossing =>
  async (asking) => {
    const reply = await asking.caller.ask(method, path, { body })
    expect([reply.status, modeIn(reply)]).toEqual([200, asking.word === 'live'])
    const other = await asking.caller.ask(method, path, { body: { ...body, livemode: asking.word !== 'live' } })
    expect([other.status, other.error?.code]).toEqual([400, 'unknown_parameter'])
  }

export const all =
  (...crossings: readonly Crossing[]): Crossing =>
  async (asking, owning) => {
    for (const crossing of crossings) await crossing(asking, owning)
  }
export const noId = async () => ''
