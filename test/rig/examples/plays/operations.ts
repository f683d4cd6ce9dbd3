// What the people do who operate a gateway: they resolve outcomes that nobody knows, and freeze channels.
import { type Person, joined } from '../../../http/members/people.ts'
import { unknown } from '../../../http/operations/operations-stage.ts'
import { idIn, NOBODY, type Stage } from '../stage.ts'

const ORIGIN = 'http://gateway.test'
const EVIDENCE = 'letter of the bank, ticket 4711'
const by = ({ cookie }: Person) => ({ cookie, origin: ORIGIN })

export async function operations({ world, played: { ask } }: Stage): Promise<void> {
  const house = await world.newCaller()
  await world.sql('update accounts set operates = true where account_id = $1', [house.account.accountId])
  const person = (role: 'operator' | 'approver' | 'owner') => joined(world, house, role, `${role}@house.example.com`)
  const [operator, approver, owner] = [await person('operator'), await person('approver'), await person('owner')]
  const merchant = await world.newCaller()
  const people = { world, merchant, operator, approver, owner, stranger: owner, stop: world.stop }
  const as = by(operator)
  const proposal = async () => ({ contract_id: await unknown(people, 60_000), as: 'delivered', evidence: EVIDENCE })

  const first = await proposal()
  await ask('operations.transfers', { as })
  await ask('operations.transfers', { as: {} })
  const made = idIn(await ask('resolutions.create', { body: first, as }), 'resolution')
  await ask('resolutions.create', { body: first, as })
  await ask('resolutions.get', { params: made, as })
  await ask('resolutions.get', { params: NOBODY, as })
  await ask('resolutions.list', { query: { status: 'waiting' }, as })
  await ask('resolutions.list', { query: { status: 'lost' }, as })
  await ask('resolutions.approve', { params: made, body: {}, as: by(approver) })
  await ask('resolutions.approve', { params: made, body: {}, as: by(owner) })
  const wrong = await ask('resolutions.create', { body: await proposal(), as })
  const reason = 'The letter is about another transfer.'
  await ask('resolutions.reject', { params: idIn(wrong, 'resolution'), body: { reason }, as: by(approver) })
  await ask('resolutions.reject', { params: idIn(wrong, 'resolution'), body: { reason }, as: by(approver) })
  const freeze = { channel: 'maya', reason: 'The channel reported a payout that was never ordered.' }
  await ask('freezes.create', { body: freeze, as })
  await ask('freezes.create', { body: { ...freeze, channel: 'pigeon' }, as })
  await ask('freezes.list', { as })
  await ask('freezes.list', { as: {} })
  await ask('freezes.acknowledge', { params: { channel: 'maya' }, body: { evidence: EVIDENCE }, as })
  await ask('freezes.acknowledge', { params: { channel: 'pigeon' }, body: { evidence: EVIDENCE }, as })
}
