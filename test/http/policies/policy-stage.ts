// What the tests of policies ask for, in few words.
import type { Policy } from '../../../src/wire/policies/policy.ts'
import type { Wire } from '../../../src/wire/shapes.ts'
import type { Caller, Method, Reply } from '../../world.ts'

export type PolicyShown = Wire<typeof Policy>

export const DENY = { kind: 'deny', words: 'Too much at once.' }
export const ABOVE_1000 = { field: 'amount', op: 'above', value: 1_000, currency: 'PHP' }
export const LARGE = { name: 'Large transfers', when: [ABOVE_1000], then: DENY }

/** Speaks about the policies of an account; what should succeed and does not fails the test at once. */
export function policiesOf(caller: Caller) {
  const done = async (method: Method, path: string, body?: unknown): Promise<Reply> => {
    const reply = await caller.ask(method, path, body === undefined ? {} : { body })
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`)
    return reply
  }
  const policyIn = ({ data }: Reply) => data['policy'] as PolicyShown
  return {
    done,
    make: async (fields: object = LARGE) => policyIn(await done('POST', '/policies', fields)),
    get: async (id: string, query = '') => policyIn(await done('GET', `/policies/${id}${query}`)),
    patch: async (id: string, fields: object) => policyIn(await done('PATCH', `/policies/${id}`, fields)),
    move: async (id: string, to: 'pause' | 'resume') => policyIn(await done('PUT', `/policies/${id}/${to}`)),
    archive: async (id: string) => policyIn(await done('DELETE', `/policies/${id}`)),
  }
}

/** What a refusal says, in short. */
export const told = ({ status, error }: Reply) => [status, error.code, error.param]
