// What the tests of profiles ask for, in few words.
import type { Profile, Destination } from '../../../src/wire/profiles/profile.ts'
import type { Wire } from '../../../src/wire/shapes.ts'
import type { Caller, Method, Reply } from '../../world.ts'

export type ProfileBody = Wire<typeof Profile>
export type DestinationBody = Wire<typeof Destination>
export type Duplicate = { readonly id: string; readonly name: string | null; readonly same: readonly string[] }

/** One person of the tests: a bank account on the sandbox channel is paid by name and number. */
export const ANA = { name: 'Ana Reyes', email: 'ana@example.com', mobile: '09171234567', country: 'ph' }
export const BANK = { channel: 'sandbox', recipient: { wallet: '000123456789' } }
export const GCASH = { channel: 'gcash', recipient: { mobile: '0918 765 4321' } }

/** Speaks about the profiles of an account; what should succeed and does not fails the test at once. */
export function profilesOf(caller: Caller) {
  const done = async (method: Method, path: string, body?: unknown): Promise<Reply> => {
    const reply = await caller.ask(method, path, body === undefined ? {} : { body })
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`)
    return reply
  }
  const profileIn = ({ data }: Reply) => data['profile'] as ProfileBody
  const get = async (id: string, query = '') => profileIn(await done('GET', `/profiles/${id}${query}`))
  return {
    done,
    get,
    make: async (fields: object = ANA) => profileIn(await done('POST', '/profiles', fields)),
    patch: async (id: string, fields: object) => profileIn(await done('PATCH', `/profiles/${id}`, fields)),
    archive: async (id: string) => profileIn(await done('DELETE', `/profiles/${id}`)),
    restore: async (id: string) => profileIn(await done('PUT', `/profiles/${id}/restore`)),
    pay: async (id: string, destination: object = BANK) => {
      const { data } = await done('POST', `/profiles/${id}/destinations`, destination)
      return data['destination'] as DestinationBody
    },
    repay: async (id: string, destination: string, fields: object) => {
      const { data } = await done('PATCH', `/profiles/${id}/destinations/${destination}`, fields)
      return data['destination'] as DestinationBody
    },
    drop: (id: string, destination: string) => done('DELETE', `/profiles/${id}/destinations/${destination}`),
  }
}

/** What a refusal says, in short. */
export const told = ({ status, error }: Reply) => [status, error.code, error.param]
