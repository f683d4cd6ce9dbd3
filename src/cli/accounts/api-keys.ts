// gateway api-keys: the keys of the account, over HTTP, within what one's own key may. On the database: gateway keys.
import { SCOPES } from '../../domain/account/scopes.ts'
import { majorNumber } from '../../domain/money/money.ts'
import type { KeyReply, NewKeyReply } from '../../wire/accounts/keys.ts'
import type { Wire } from '../../wire/shapes.ts'
import { caps, commaWords, durationSeconds, jsonObject, keyId, scopes, shownName } from '../arguments.ts'
import { get, patch, post, remove } from '../client.ts'
import { apiCommand, argument, flag, groupOf, option, required, type Values } from '../command.ts'
import { note, paint, print } from '../output.ts'
import { listCommand } from '../list.ts'
import { moneyText, printOne, type Shows } from '../view.ts'

type One = Wire<typeof KeyReply>['data']
type New = Wire<typeof NewKeyReply>['data']
type Shown = One['key']

const capWords = ({ transfer_max: most }: Shown) =>
  most?.map(({ currency, amount }) => moneyText(amount, currency)).join(', ') ?? 'any amount'
const scopeWords = ({ scopes: named }: Shown) => (named.length === SCOPES.length ? 'all' : named.join(','))

const limitWords = ({ mandate }: Shown) =>
  mandate?.limits.map(({ currency, total, spent, remaining, approval_above: above }) => {
    const [left, all, gone] = [remaining, total, spent].map((amount) => moneyText(amount, currency))
    const asks = above === null ? '' : `; above ${moneyText(above, currency)} a member approves`
    return `${left} of ${all} left (${gone} spent)${asks}`
  })

const KEYS: Shows<Shown> = [
  ['key id', 'id'],
  ['mode', 'livemode'],
  ['state', 'state'],
  ['name', 'name'],
  ['last used', ({ last_used_on: day }) => day ?? 'never'],
  ['expires', 'expires_at'],
  ['from', ({ addresses }) => addresses?.join(',') ?? 'anywhere'],
  ['at a time', capWords],
  ['mandate', limitWords],
  ['scopes', scopeWords],
]

const ID = argument('<key-id>', 'as "api-keys list" shows it', keyId)
const BOUNDS = {
  from: option('<ranges>', 'where it may be used from, such as 203.0.113.0/24', commaWords),
  max: option('<list>', 'what may leave at a time by it, such as PHP:10000,USD:200', caps),
  mandate: option(
    '<json>',
    'what may leave by it in all, to whom and until when, as POST /keys takes it (docs/accounts.md)',
    jsonObject,
  ),
}
const boundsOf = ({ from, max, mandate }: Values<typeof BOUNDS>) => ({
  addresses: from,
  mandate,
  transfer_max: max?.map(({ currency, maxMinor }) => ({ currency, amount: majorNumber(maxMinor, currency) })),
})

const list = listCommand<Shown>('list', 'list the keys of the account, newest first', {
  examples: ['gateway api-keys list'],
  member: 'keys',
  columns: KEYS,
  csv: ['id', 'name', 'livemode', 'state', 'created_at', 'expires_at', 'last_used_on', 'addresses', 'scopes'],
  call: () => get('/keys'),
})

const show = apiCommand('get', 'show a key, never its text', {
  examples: ['gateway api-keys get 3fJ0a9Xk2Q'],
  arguments: [ID],
  call: (_, id) => get(`/keys/${id}`),
  print: ({ key }: One) => printOne(key, KEYS),
})

const current = apiCommand('current', 'show the key that is used, and what is left of its mandate', {
  examples: ['gateway api-keys current'],
  call: () => get('/keys/current'),
  print: ({ key }: One) => printOne(key, KEYS),
})

function printNew({ key, api_key: text }: New): void {
  print(paint('bold', text))
  note('This is the only time that the key is shown. Keep it where secrets are kept.')
  printOne(key, KEYS)
}

const create = apiCommand('create', 'make a key with a part of what your own may; its text is shown once', {
  examples: [
    'gateway api-keys create --name "Back office" --scopes contracts:read,wallets:read --expires 30d',
    'gateway api-keys create --name Payouts --scopes contracts:write,transfers:issue,transfers:pay --from 203.0.113.7 --max PHP:10000',
    `gateway api-keys create --name Agent --scopes contracts:write,transfers:issue,transfers:pay --mandate '{"limits":[{"currency":"PHP","total":50000}]}'`,
  ],
  options: {
    name: required(option('<name>', 'what the key is for', shownName)),
    scopes: required(option('<list>', `what it may do: ${SCOPES.join(',')}`, scopes)),
    expires: option('<duration>', 'how long it lives, such as 30d (default: as long as yours)', durationSeconds),
    ...BOUNDS,
  },
  call: ({ name, scopes: named, expires: expires_in, ...bounds }) =>
    post('/keys', { name, scopes: named, expires_in, ...boundsOf(bounds) }),
  print: printNew,
})

const update = apiCommand('update', 'change the name of a key, where it may be used from, or what may leave by it', {
  examples: [
    'gateway api-keys update 3fJ0a9Xk2Q --from 203.0.113.0/24,2001:db8::/32',
    'gateway api-keys update 3fJ0a9Xk2Q --anywhere',
  ],
  arguments: [ID],
  options: {
    name: option('<name>', 'what the key is for', shownName),
    ...BOUNDS,
    anywhere: flag('it may be used from anywhere'),
    anyAmount: flag('any amount may leave by it'),
    withoutMandate: flag('nothing bounds any more what leaves by it in all'),
  },
  call: ({ name, anywhere, anyAmount, withoutMandate, ...bounds }, id) => {
    const { addresses, transfer_max, mandate } = boundsOf(bounds)
    const freed = {
      addresses: anywhere ? null : addresses,
      transfer_max: anyAmount ? null : transfer_max,
      mandate: withoutMandate ? null : mandate,
    }
    return patch(`/keys/${id}`, { name, ...freed })
  },
  print: ({ key }: One) => printOne(key, KEYS),
})

const roll = apiCommand(
  'roll',
  'make a new key like this one, which ends after the overlap; policies that name it go on',
  {
    examples: ['gateway api-keys roll 3fJ0a9Xk2Q --overlap 24h'],
    arguments: [ID],
    options: {
      overlap: option('<duration>', 'how long the old key still works (default: 24h)', durationSeconds),
      expires: option('<duration>', 'how long the new one lives (default: as the old one would have)', durationSeconds),
    },
    call: ({ overlap: overlap_seconds, expires: expires_in }, id) =>
      post(`/keys/${id}/roll`, { overlap_seconds, expires_in }),
    print: printNew,
  },
)

const revoke = apiCommand('revoke', 'end a key at once', {
  examples: ['gateway api-keys revoke 3fJ0a9Xk2Q'],
  arguments: [ID],
  confirm: (_, id) => `End the key ${id} at once?`,
  call: (_, id) => remove(`/keys/${id}`),
  print: ({ key }: One) => print(`The key ${key.id} has ended. What it pays or cancels from now on is refused.`),
})

export const apiKeys = groupOf('api-keys', 'make, bound, roll and end keys of the account, over HTTP', [
  list,
  current,
  show,
  create,
  update,
  roll,
  revoke,
])
