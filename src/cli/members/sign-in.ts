// A member signs in for one command: address, password and code are asked at the terminal or taken from the environment, never from
// the command line, which "ps" shows. The session ends with the command.
import { createInterface } from 'node:readline/promises'
import { createGateway, type Gateway, GatewayError } from '../../../sdk/src/index.ts'
import { readCommandLine } from '../../main/config/command-line.ts'
import { failureOf } from '../client.ts'
import { option } from '../command.ts'
import { typedSecret } from '../accounts/secret-input.ts'
import { uuid } from '../arguments.ts'
import { CommandFailed, Misused } from '../failures.ts'
import { note } from '../output.ts'
import { findPlace } from '../place.ts'

/** Which gateway, and who signs in there. No key goes along. */
export const MEMBER = {
  url: option('<url>', 'the gateway (default: GATEWAY_URL, the login in use, or dev.json)'),
  use: option('<login>', 'the gateway of this login (gateway login), this once'),
  email: option('<address>', 'who signs in (default: GATEWAY_MEMBER_EMAIL, or asked)'),
  account: option('<id>', 'which account, where several have the address', uuid),
}
type MemberOptions = {
  readonly url?: string
  readonly use?: string
  readonly email?: string
  readonly account?: string
}

export const MEMBER_NOTES =
  'The password is asked for, and the code of the authenticator; in scripts they are GATEWAY_MEMBER_PASSWORD and GATEWAY_MEMBER_CODE. A code is good once: for a second command wait for the next.'

/** Does it as the member, and signs out, however it ends. */
export async function asMember<T>(
  options: { readonly [K in keyof MemberOptions]?: MemberOptions[K] | undefined },
  work: (gateway: Gateway) => Promise<T>,
): Promise<T> {
  const url = findPlace({ url: options.url, use: options.use }).url.value
  const cookie = await signedIn(url, options)
  // As a page of the gateway's own says it: it is the member's own program that calls.
  const gateway = createGateway({ url, headers: { cookie, 'sec-fetch-site': 'same-origin' }, retriesMax: 2 })
  try {
    return await work(gateway)
  } catch (fault) {
    throw failureOf('the call', { baseUrl: url, apiKey: '' }, fault)
  } finally {
    await gateway
      .call({ method: 'DELETE', path: '/sessions/current' })
      .catch(() => note('The session could not be ended; it ends by itself.'))
  }
}

async function signedIn(
  url: string,
  { email, account }: { readonly email?: string | undefined; readonly account?: string | undefined },
): Promise<string> {
  const { member } = readCommandLine()
  const who = {
    email: email ?? member.email ?? (await asked('E-mail address: ')),
    password: member.password ?? (await typed('Password: ', 'GATEWAY_MEMBER_PASSWORD')),
    account,
  }
  const gateway = createGateway({ url, retriesMax: 0 })
  let cookie = ''
  const onReply = ({ headers }: { readonly headers: Headers }) => {
    cookie = headers.getSetCookie()[0]?.split(';')[0] ?? cookie
  }
  const enter = (code: string | undefined) => gateway.sessions.create({ ...who, code }, { onReply })
  try {
    await enter(member.code ?? undefined).catch(async (fault: unknown) => {
      if (!(fault instanceof GatewayError) || fault.code !== 'second_factor_required') throw fault
      return enter(await typed('Code of the authenticator: ', 'GATEWAY_MEMBER_CODE'))
    })
  } catch (fault) {
    throw failureOf('POST /sessions', { baseUrl: url, apiKey: '' }, fault)
  }
  if (cookie === '') throw new CommandFailed(`${url} opened no session.`)
  return cookie
}

function typed(question: string, variable: string): Promise<string> {
  if (process.stdin.isTTY) return typedSecret(question)
  throw new Misused(`a member signs in, and nobody is here to be asked. Set ${variable}.`)
}

async function asked(question: string): Promise<string> {
  if (!process.stdin.isTTY) throw new Misused('say who signs in: --email, or GATEWAY_MEMBER_EMAIL.')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await lines.question(question)).trim()
  } finally {
    lines.close()
  }
}
