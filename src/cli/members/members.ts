// gateway members: who signs in for an account, over HTTP; and the first owner, whom an operator invites on the database.
import { isRole, ROLES } from '../../domain/account/roles.ts'
import { emailOf } from '../../domain/member/member.ts'
import { readConfig } from '../../main/config/config.ts'
import { invitationUrl } from '../../main/members.ts'
import { shownName, uuid, wordOf } from '../arguments.ts'
import { call, get, patch, post, remove } from '../client.ts'
import { placeOf } from '../place.ts'
import { apiCommand, command, flag, groupOf, idArgument, option, PLACE, required } from '../command.ts'
import { note, paint, print } from '../output.ts'
import { asOperator, noSuchAccount, OPERATOR, operatorName } from '../operator/as-operator.ts'
import { timeText } from '../times.ts'
import { printMany, printOne, type Shows, wordsOf } from '../view.ts'

/** As much of a member as is shown. */
type Shown = {
  readonly id: string
  readonly livemode: boolean
  readonly email: string
  readonly name: string | null
  readonly role: string
  readonly status: string
  readonly factors?: { readonly authenticator: boolean; readonly passkeys: number; readonly recovery_codes: number }
  readonly joined_at?: string | null
  readonly invitation_expires_at?: string | null
}
type MemberData = { readonly member: Shown }
type Invited = MemberData & {
  readonly invitation: { readonly token: string; readonly url: string; readonly expires_at: string }
}

const factorWords = ({ factors }: Shown) =>
  factors &&
  wordsOf(factors.authenticator ? 'authenticator' : null, factors.passkeys > 0 ? `${factors.passkeys} passkeys` : null)

const MEMBERS: Shows<Shown> = [
  ['id', 'id'],
  ['email', 'email'],
  ['name', 'name'],
  ['role', 'role'],
  ['status', 'status'],
  ['factors', (member) => factorWords(member) || null],
  ['joined', 'joined_at'],
]
const MEMBER: Shows<Shown> = [
  ...MEMBERS.slice(0, -1),
  ['mode', 'livemode'],
  ['joined', ({ joined_at: at }) => timeText(at) || null],
  ['recovery codes', ({ factors }) => factors && `${factors.recovery_codes} left`],
]

const ID = idArgument('<id>', 'the member', 'member')
const email = wordOf('Give an e-mail address, such as ana@shop.example.', emailOf)
const role = wordOf(`Choose from ${ROLES.join(', ')}.`, (text) => (isRole(text) ? text : null))
const ROLE = option('<role>', `what the member may do: ${ROLES.join(', ')}`, role)
const NAME = option('<name>', 'the name that others see', shownName)

const list = apiCommand('list', 'list who signs in for the account', {
  examples: ['gateway members list', 'gateway members list --removed'],
  options: { removed: flag('those who were removed, too') },
  call: ({ removed }) => get('/members', removed ? { removed: 'true' } : {}),
  print: ({ members: all }: { readonly members: readonly Shown[] }) => printMany(all, MEMBERS),
})

const show = apiCommand('get', 'show a member', {
  examples: ['gateway members get 0198…'],
  arguments: [ID],
  call: (_, id) => get(`/members/${id}`),
  print: ({ member }: MemberData) => printOne(member, MEMBER),
})

const invite = command('invite', 'invite somebody; shows the link, once, and mails nothing', {
  examples: [
    'gateway members invite --email ana@shop.example --role operator',
    'gateway members invite --account 0198… --email ana@shop.example --role owner   (on the database: the first owner)',
  ],
  options: {
    ...PLACE,
    ...OPERATOR,
    account: option('<id>', 'on the database, for this account: how its first owner comes in', uuid),
    email: required(option('<address>', 'who', email)),
    role: required(ROLE),
    name: NAME,
  },
  run: ({ account, email: address, role: given, name, operator, ...place }): Promise<Invited> => {
    const wanted = { email: address, role: given, name: name ?? null }
    if (account !== undefined) return onDatabase(account, wanted, operatorName(operator))
    return call<Invited>(placeOf(place), post('/members', { email: address, role: given, ...(name && { name }) }))
  },
  print: printInvited,
})

async function onDatabase(
  accountId: string,
  wanted: { readonly email: string; readonly role: (typeof ROLES)[number]; readonly name: string | null },
  by: string,
): Promise<Invited> {
  return asOperator(async (operator) => {
    const account = (await operator.accounts()).find((each) => each.accountId === accountId)
    if (!account) throw noSuchAccount(accountId)
    const invited = await operator.inviteMember(accountId, wanted, by)
    if ('kind' in invited) return invited
    const { member, token } = invited
    const { id, email: address, name, role: given, status, linkExpiresAt } = member
    const config = readConfig()
    return {
      member: { id, livemode: account.livemode, email: address, name, role: given, status },
      invitation: {
        token,
        url: invitationUrl(config, config.publicUrl, token),
        expires_at: new Date(linkExpiresAt ?? 0).toISOString(),
      },
    }
  })
}

function printInvited({ member, invitation }: Invited): void {
  print(paint('bold', invitation.url))
  print(`For ${member.email}, as ${member.role}, until ${timeText(invitation.expires_at)}. Good once.`)
  note('This is the only time that the link is shown. Whoever has it comes in: pass it on to this person alone.')
}

const update = apiCommand('update', 'change a name or a role; a new role ends the sessions', {
  examples: ['gateway members update 0198… --role admin'],
  arguments: [ID],
  options: { role: ROLE, name: NAME },
  call: ({ role: given, name }, id) =>
    patch(`/members/${id}`, { ...(given && { role: given }), ...(name && { name }) }),
  print: ({ member }: MemberData) => printOne(member, MEMBER),
})

const reset = apiCommand('reset', 'take from a member all that signs them in, and invite them anew', {
  examples: ['gateway members reset 0198…'],
  arguments: [ID],
  confirm: (_, id) => `Take from member ${id} all that signs them in?`,
  call: (_, id) => post(`/members/${id}/reset`),
  print: printInvited,
})

const end = apiCommand('remove', 'remove a member; sessions end at once', {
  examples: ['gateway members remove 0198…'],
  arguments: [ID],
  confirm: (_, id) => `Remove member ${id}?`,
  call: (_, id) => remove(`/members/${id}`),
  print: ({ member }: MemberData) => print(`${member.email} is removed. The sessions have ended.`),
})

export const members = groupOf('members', 'who signs in for an account', [list, show, invite, update, reset, end])
