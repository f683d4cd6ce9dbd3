// Commands: people paid from a file, first as a dry run, and what may be done about one.
import { idIn, NOBODY, seen, type Stage } from '../stage.ts'

const FILE = `amount,currency,channel,recipient.name,recipient.wallet,deliverable.reference_id
1500.00,PHP,sandbox,Maria Santos,000123456789,PAY-11-001
2300.50,PHP,sandbox,Ben Reyes,000987654321,PAY-11-002
`
const ROW = {
  amount: 900,
  currency: 'PHP',
  channel: 'sandbox',
  recipient: { name: 'Lea Cruz', wallet: '000555666777' },
}

export async function commands({ played: { ask } }: Stage): Promise<void> {
  const open = idIn(
    await ask('commands.create', { body: { type: 'transfers.payout', reference: 'PAY-11' } }),
    'command',
  )
  await ask('commands.add_rows', { params: open, body: { csv: FILE } })
  await ask('commands.add_rows', { params: NOBODY, body: { rows: [ROW] } })
  await ask('commands.start', { params: open })
  await ask('commands.start', { params: NOBODY })
  await ask('commands.pause', { params: open })
  await ask('commands.pause', { params: NOBODY })
  await ask('commands.resume', { params: open })
  await ask('commands.resume', { params: NOBODY })
  await ask('commands.get', { params: open })
  await ask('commands.get', { params: NOBODY })
  await ask('commands.rows', { params: open })
  await ask('commands.rows', { params: NOBODY })
  await ask('commands.list')
  await ask('commands.list', { query: { status: 'ready' } })
  await ask('commands.create', { body: { type: 'transfers.payout', csv: 'amuont,currency\n5,PHP\n' } })
  await ask('commands.file', { params: open })
  await ask('commands.file', { params: NOBODY })
  const unwanted = idIn(await ask('commands.create', { body: { type: 'transfers.create' } }), 'command')
  await ask('commands.cancel', { params: unwanted })
  await ask('commands.cancel', { params: NOBODY })
}

/** What was left to the workers: the events of a command, and a file. */
export async function commandsAtWork({ played, world }: Stage): Promise<void> {
  const { data } = await world.caller.ask('POST', '/commands', { body: { type: 'export', what: 'contracts' } })
  const { id } = data['command'] as { readonly id: string }
  const url = `/commands/${id}/file`
  const headers = { 'x-api-key': world.caller.apiKey }
  const file = await seen('a file', async () => {
    const reply = await world.gateway.app.inject({ url, headers })
    return reply.statusCode === 200 ? reply.body : null
  })
  // Its rows hold times, which are others each time.
  const [names = ''] = file.split('\r\n')
  played.stream('commands.file', { params: { id } }, `${names}\r\n`)
  for (const type of ['command.paused', 'command.completed', 'command.cancelled'])
    played.event(
      await seen(type, async () => {
        const all = await world.caller.all<{ id: string; type: string }>('/events', 'events')
        return all.find((each) => each.type === type)
      }),
    )
}
