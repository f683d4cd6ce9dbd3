// gateway find: contracts, profiles and events by a text.
import type { Static } from 'typebox'
import type { SearchReply } from '../../wire/resources/search.ts'
import { wholeNumber } from '../arguments.ts'
import { get } from '../client.ts'
import { apiCommand, argument, choice, flag, option } from '../command.ts'
import { note, printCsv, printFitting, warn } from '../output.ts'

type SearchData = Static<typeof SearchReply>['data']

const HEADINGS = ['TYPE', 'ID', 'FOUND BY', 'WHAT'] as const

export const find = apiCommand('find', 'find contracts, profiles and events, newest first', {
  examples: [
    'gateway find "Juan dela Cruz"',
    'gateway find INV-2026-17',
    'gateway find 1,500.00 --type transfer',
    'gateway find order:17',
    'gateway find 0198a3f2 --csv > found.csv',
  ],
  arguments: [
    argument('<text>', 'a name, reference, amount, mobile, e-mail, account number or its end, id, name:text'),
  ],
  options: {
    type: choice('<type>', 'only these', ['transfer', 'payment', 'profile', 'event']),
    limit: option('<n>', 'at most so many, up to 100', wholeNumber),
    after: option('<cursor>', 'go on after the page that ended with this'),
    csv: flag('print CSV instead of a table'),
  },
  call: ({ type, limit, after }, q) => get('/search', { q, type, limit, after }),
  print: ({ results, next, indexed_until: until }: SearchData, { csv, type }, text) => {
    const rows = results.map((line) => [line.type, line.id, line.fields.join(' '), line.summary])
    if (csv) printCsv(['type', 'id', 'fields', 'summary'], rows)
    else printFitting([...HEADINGS], rows)
    if (until !== null) warn(`Much was written lately: what happened after ${until} may be missing. Try again.`)
    if (next !== null)
      note(`More: gateway find ${JSON.stringify(text)}${type ? ` --type ${type}` : ''} --after ${next}`)
  },
})
