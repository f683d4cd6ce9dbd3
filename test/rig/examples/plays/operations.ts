// What the people do who operate a gateway: they resolve outcomes that nobody knows, and freeze channels.
import { type Person, joined } from '../../../http/members/people.ts'
import { report, unknown } from '../../../http/operations/operations-stage.ts'
import type { Caller } from '../../../world.ts'
import { idIn, NOBODY, seen, type Stage } from '../stage.ts'

const ORIGIN = 'http://gateway.test'
const EVIDENCE = 'letter of the bank, ticket 4711'
const by = ({ cookie }: Person) => ({ cookie, origin: ORIGIN })

export async function operations(stage: Stage): Promise<void> {
  const { world, played } = stage
  const { ask } = played
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
  // Whatever the hour, the same wait.
  await world.sql(`update jobs set due_at = now() where kind = 'payout' and status = 'queued' and due_at > now()`)
  await ask('payouts.pause', { body: { channel: 'maya', evidence: EVIDENCE }, as })
  await ask('payouts.pause', { body: { channel: 'pigeon', evidence: EVIDENCE }, as })
  await ask('payouts.get', { as })
  await ask('payouts.get', { as: {} })
  await ask('payouts.resume', { body: { channel: 'maya', evidence: EVIDENCE }, as })
  await ask('payouts.resume', { body: { channel: 'pigeon', evidence: EVIDENCE }, as })
  const disputed = { id: await unknown(people, 800) }
  await report(people, merchant, disputed.id, 'delivered')
  await report(people, merchant, disputed.id, 'failed', 1)
  const understood = { evidence: 'The bank paid once, ticket 4712' }
  await ask('operations.close_transfer', { params: disputed, body: understood, as })
  await ask('operations.close_transfer', { params: disputed, body: understood, as })
  await books(stage, { as, merchant })
  await recovered(stage, as, [by(approver), by(owner)])
}

/** Where a database stands, as the epoch keeps it. */
const PLACE = { installationId: NOBODY.id, marks: '4711', systemId: '7350000000000000001', timeline: 1 }

/** An older database came back, and two operators looked. */
async function recovered(
  { world, played: { ask } }: Stage,
  operator: By,
  [one, other]: readonly [By, By],
): Promise<void> {
  await ask('recovery.compare', { body: {}, as: operator })
  await ask('recovery.resume', { body: { evidence: EVIDENCE }, as: one })
  await world.sql(`insert into epochs (number, reason, mark, found) values (2, 'older', $1, $2)`, [
    { ...PLACE, position: '90000000' },
    { ...PLACE, marks: '4600', position: '88000000' },
  ])
  await ask('recovery.get', { as: one })
  await ask('recovery.get', { as: {} })
  await ask('recovery.resume', { body: { evidence: EVIDENCE }, as: one })
  await ask('recovery.compare', { body: {}, as: operator })
  await ask('recovery.resume', { body: { evidence: EVIDENCE }, as: one })
  await ask('recovery.resume', { body: { evidence: EVIDENCE }, as: other })
  await seen('the end of the recovery', async () => {
    const ready = await world.gateway.app.inject('/readyz')
    return ready.headers['gateway-state'] === undefined ? ready : undefined
  })
}

/** An account is told of a restore when the recovery has ended. */
export async function restoredAtWork({ world, played }: Stage): Promise<void> {
  const caller = await world.newCaller()
  await caller.draft()
  const { lane, accountId } = caller.account
  await world.sql(
    `insert into epochs (number, reason, proposed_by, proposed_at, resumed_by, resumed_at)
     values (3, 'declared', 'ana', now(), 'ben', now())`,
  )
  await world.sql(
    `insert into epoch_positions (lane, account_id, epoch, position)
     select a.lane, a.account_id, 3, a.position from accounts a where a.lane = $1 and a.account_id = $2`,
    [lane, accountId],
  )
  const event = await seen('gateway.restored', async () => {
    const all = await caller.all<{ readonly type: string }>('/events', 'events')
    return all.find(({ type }) => type === 'gateway.restored')
  })
  played.event(event)
}

type By = ReturnType<typeof by>
type Given = { readonly as: ReturnType<typeof by>; readonly merchant: Caller }

/** What providers said, and what the books of the whole installation say. */
async function books({ world, played: { ask } }: Stage, { as, merchant: { account } }: Given): Promise<void> {
  const body = JSON.stringify({ id: 'evt_4711', type: 'payment.succeeded', data: {} })
  await world.sql(
    `insert into payment_events (lane, account_id, id, type, at, body, status, reason)
     values ($1, $2, 'evt_4711', 'payment.succeeded', now(), $3, 'needs_review', 'No payment contract fits it.')`,
    [account.lane, account.accountId, body],
  )
  await ask('unallocated_events.list', { as })
  await ask('unallocated_events.list', { as: {} })
  const taken = { account_id: account.accountId, evidence: EVIDENCE }
  await ask('unallocated_events.take', { params: { id: 'evt_4711' }, body: taken, as })
  await ask('unallocated_events.take', { params: { id: 'evt_4712' }, body: taken, as })
  const compared = { channel: 'instapay', day: '2026-03-02' }
  const made = idIn(await ask('reconciliations.create', { body: compared, as }), 'reconciliation')
  await ask('reconciliations.create', { body: { ...compared, channel: 'pigeon' }, as })
  await ask('reconciliations.get', { params: made, as })
  await ask('reconciliations.get', { params: NOBODY, as })
  await ask('reconciliations.list', { query: { channel: 'instapay' }, as })
  await ask('reconciliations.list', { as: {} })
  await ask('operations.balances', { as })
  await ask('operations.balances', { as: {} })
  await ask('operations.entries', { query: { account_id: account.accountId, limit: '2' }, as })
  await ask('operations.entries', { query: { after: 'x' }, as })
  const proof = idIn(await ask('proofs.create', { body: {}, as }), 'proof')
  await ask('proofs.create', { body: {}, as })
  await seen('the end of a proof', async () => {
    const [row] = await world.sql<{ id: string }>('select id from proofs where id = $1 and verdict is not null', [
      proof.id,
    ])
    return row
  })
  await ask('proofs.get', { params: proof, as })
  await ask('proofs.get', { params: NOBODY, as })
  await ask('proofs.list', { as })
  await ask('proofs.list', { as: {} })
}
