// A person who is signed in, for what is measured beside open consoles: invited, come in, and known by a cookie.
import { totpAt } from '../../src/platform/totp.ts'

/** The cookie of a new member of the key's account. */
export async function memberSession(port: number, key: string): Promise<string> {
  const url = `http://127.0.0.1:${port}`
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> => {
    const json = { 'content-type': 'application/json', ...headers }
    const reply = await fetch(url + path, { method: 'POST', headers: json, body: JSON.stringify(body) })
    if (reply.status !== 200) throw new Error(`POST ${path.split('/')[1]}: ${reply.status} ${await reply.text()}`)
    return reply
  }
  const dataOf = async <T>(reply: Response) => ((await reply.json()) as { data: T }).data
  const email = `console-${Date.now()}@bench.example`
  const { invitation } = await dataOf<{ invitation: { token: string } }>(
    await post('/members', { email, role: 'viewer' }, { 'x-api-key': key }),
  )
  const person = { name: 'Bench', password: 'four plain words together' }
  const { enrolment } = await dataOf<{ enrolment: { token: string; authenticator: { secret: string } } }>(
    await post(`/invitations/${invitation.token}/accept`, person),
  )
  const code = totpAt(enrolment.authenticator.secret, Date.now())
  const reply = await post(`/invitations/${enrolment.token}/confirm`, { code })
  return reply.headers.get('set-cookie')?.split(';')[0] ?? ''
}
