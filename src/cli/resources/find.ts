// gateway find: contracts, profiles and events by a text.
import type { Static } from 'typebox'
import type { SearchReply } from '../../wire/resources/search.ts'
import { get } from '../client.ts'
import { argument, choice } from '../command.ts'
import { listCommand } from '../list.ts'
import { warn } from '../output.ts'
import { timeText } from '../times.ts'
import type { Shows } from '../view.ts'

type SearchData = Static<typeof SearchReply>['data']
type Hit = SearchData['results'][number]

const HITS: Shows<Hit> = [
  ['type', 'type'],
  ['id', 'id'],
  ['found by', ({ fields }) => fields.join(' ')],
  ['what', 'summary'],
]

const TEXT = argument('<text>', 'a name, reference, amount, mobile, e-mail, account number or its end, id, name:text')
const FILTER = { type: choice('<type>', 'only these', ['transfer', 'payment', 'profile', 'event']) }

export const find = listCommand<Hit, [typeof TEXT], typeof FILTER>(
  'find',
  'find contracts, profiles and events, newest first',
  {
    examples: [
      'gateway find "Juan dela Cruz"',
      'gateway find INV-2026-17',
      'gateway find 1,500.00 --type transfer',
      'gateway find order:17',
      'gateway find 0198a3f2 --all --csv > found.csv',
    ],
    arguments: [TEXT],
    options: FILTER,
    member: 'results',
    columns: HITS,
    csv: ['type', 'id', 'fields', 'summary'],
    csvRow: ({ type, id, fields, summary }) => [type, id, fields.join(' '), summary],
    call: ({ type }, q) => get('/search', { q, type }),
    beside: ({ indexed_until: until, removed_until: removed }) => {
      if (typeof until === 'string')
        warn(`Much was written lately: what happened after ${timeText(until)} may be missing. Try again.`)
      if (typeof removed === 'string')
        warn(
          `Contracts that ended up to ${timeText(removed)} are found by their id alone, and in lists with --reference.`,
        )
    },
  },
)
