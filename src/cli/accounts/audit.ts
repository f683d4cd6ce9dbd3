// gateway audit: who did what to the account, over HTTP; a page as a table, or all of it as CSV.
import type { AuditReply } from '../../wire/accounts/audit.ts'
import type { Wire } from '../../wire/shapes.ts'
import { download, get } from '../client.ts'
import { placeOf } from '../place.ts'
import { command, groupOf, option, PLACE, type Values } from '../command.ts'
import { listCommand } from '../list.ts'
import { timeText } from '../times.ts'
import type { Shows } from '../view.ts'

type Entry = Wire<typeof AuditReply>['data']['entries'][number]

const WORDS_MAX = 60

/** What changed, in a few words: names with what they are since. */
function changeWords({ before, after }: Entry): string {
  const words = Object.entries(after ?? before ?? {}).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  const text = words.join(', ')
  return text.length <= WORDS_MAX ? text : `${text.slice(0, WORDS_MAX - 1)}…`
}

const ENTRIES: Shows<Entry> = [
  ['at', ({ at }) => timeText(at)],
  ['who', ({ actor }) => `${actor.type} ${actor.id}`],
  ['from', ({ actor }) => actor.address],
  ['did', 'action'],
  ['on', ({ object }) => object.id],
  ['what', changeWords],
]

const FILTER = {
  actor: option('<id>', 'only what this key, member or operator did'),
  object: option('<id>', 'only what was done to this'),
  action: option('<action>', 'only this, such as key.created'),
  from: option('<time>', 'from then on: a day, or a time'),
  to: option('<time>', 'until then, included'),
}
const queryOf = ({ actor, object, action, from, to }: Values<typeof FILTER>) => ({ actor, object, action, from, to })

const list = listCommand<Entry, [], typeof FILTER>('list', 'list who did what to the account, newest first', {
  examples: ['gateway audit list', 'gateway audit list --action key.created --from 2026-11-01'],
  options: FILTER,
  member: 'entries',
  columns: ENTRIES,
  csv: ['id', 'at', 'actor.type', 'actor.id', 'actor.address', 'action', 'object.type', 'object.id', 'before', 'after'],
  call: (filter) => get('/audit', queryOf(filter)),
  notes: 'What is done to a contract stands in its activities: gateway transfers get ID.',
})

const exportAll = command('export', 'print all of it as CSV', {
  examples: ['gateway audit export > audit.csv', 'gateway audit export --from 2026-01-01 --to 2026-12-31 > 2026.csv'],
  options: { ...PLACE, ...FILTER },
  run: (options) => {
    const asked = { ...get('/audit', queryOf(options)), headers: { accept: 'text/csv' } }
    return download(placeOf(options), asked, process.stdout)
  },
})

export const audit = groupOf('audit', 'see who did what to the account', [list, exportAll])
