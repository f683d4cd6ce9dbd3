// What whoever owns the database can do to a sealed past, each with the row that must be named and the words about it. `{name}`
// stands for an id. All of it leaves the books consistent by themselves, or is not looked at by any other proof.

const version = (number: number, change: string) =>
  `update contract_versions set ${change} where contract_id = '{transfer}' and version = ${number}`
/** A column as it is made of the row, beforehand: on a cluster no update takes what may differ from node to node. */
const remade = (table: string, where: string, column: string, type: string, made: string) => `
  do $$ declare d ${type}; begin
    select ${made} into strict d from ${table} where ${where};
    update ${table} set ${column} = d where ${where};
  end $$`
const remadeVersion = (number: number, column: string, type: string, made: string) =>
  remade('contract_versions', `contract_id = '{transfer}' and version = ${number}`, column, type, made)
const rewritten = (number: number, made: string) => remadeVersion(number, 'document', 'json', made)
const member = (number: number, path: string, value: string) =>
  rewritten(number, `jsonb_set(document::jsonb, '{${path}}', '${value}')`)
const entry = (change: string) => `update ledger set ${change} where wallet_id = '{wallet}' and sequence = 2`
const seal = (number: number, change: string) =>
  `update seals set ${change} where account_id = '{account}' and number = ${number}`
const removed = (number: number) => `delete from seals where account_id = '{account}' and number = ${number}`
const flipped = (column: string) => `${column} = set_byte(${column}, 0, get_byte(${column}, 0) # 1)`

const SWAPPED = `
  do $$ declare p bigint; begin
    select position into strict p from contract_versions where contract_id = '{transfer}' and version = 3;
    update contract_versions set position = 1000000 where contract_id = '{transfer}' and version = 2;
    update contract_versions set position = p - 1 where contract_id = '{transfer}' and version = 3;
    update contract_versions set position = p where position = 1000000;
  end $$`
/** Every row of the wallet from the second on says that it has had more, and so does the wallet. */
const RICHER = `
  update ledger set amount_minor = amount_minor + 5000, available_after_minor = available_after_minor + 5000
   where wallet_id = '{wallet}' and sequence = 1;
  update ledger set available_after_minor = available_after_minor + 5000 where wallet_id = '{wallet}' and sequence > 1;
  update wallets set available_minor = available_minor + 5000 where id = '{wallet}'`

export const SEAL_DAMAGE: readonly (readonly [row: string, words: RegExp, sql: string])[] = [
  [
    'version 2 of contract {transfer}',
    /^recipient\.wallet of transfer .* is not what was sealed on \d{4}-/,
    member(2, 'recipient,wallet', '"999"'),
  ],
  ['version 1 of contract {transfer}', /^amount_minor of transfer /, member(1, 'amount_minor', '"9"')],
  ['version 3 of contract {transfer}', /^metadata of transfer /, member(3, 'metadata', '{"a":"b"}')],
  ['version 2 of contract {transfer}', /a member that is gone/, rewritten(2, `document::jsonb - 'recipient'`)],
  [
    'version 2 of contract {transfer}',
    /its number, event or moment/,
    remadeVersion(2, 'at', 'timestamptz', `at + interval '1 microsecond'`),
  ],
  ['version 2 of contract {transfer}', /event or moment/, version(2, `event = 'contract.paid'`)],
  ['version 2 of contract {transfer}', /event or moment/, rewritten(2, `document::text || ' '`)],
  ['version 3 of contract {transfer}', /is not what was sealed/, SWAPPED],
  [
    'position {position}',
    /is not there any more/,
    `delete from contract_versions where contract_id = '{transfer}' and version = 2`,
  ],
  [
    'position {position}',
    /two rows have the position/,
    `insert into account_events (lane, account_id, position, id, type, subject, at, object)
     select lane, account_id, {position}, gen_random_uuid(), type, subject, at, object from account_events
      where account_id = '{account}' limit 1`,
  ],
  [
    'event {event} at position',
    /^\w+ of event /,
    remade('account_events', `id = '{event}'`, 'object', 'json', `jsonb_set(object::jsonb, '{type}', '"other"')`),
  ],
  ['event {event} at position', /event or moment/, `update account_events set subject = 'x' where id = '{event}'`],
  ['position', /is not there any more/, `delete from account_events where id = '{event}'`],
  ['ledger row 2 of wallet {wallet}', /is not what was sealed/, entry('amount_minor = amount_minor + 1')],
  ['ledger row 2 of wallet {wallet}', /is not what was sealed/, entry(`credit = 'suspense'`)],
  ['ledger row 2 of wallet {wallet}', /is not what was sealed/, entry('held_after_minor = null')],
  [
    'ledger row 2 of wallet {wallet}',
    /is not what was sealed/,
    remade('ledger', `wallet_id = '{wallet}' and sequence = 2`, 'at', 'timestamptz', `at - interval '1 day'`),
  ],
  ['ledger row 1 of wallet {wallet}', /is not what was sealed/, RICHER],
  [
    'ledger row 2 of wallet {wallet}',
    /is not there any more/,
    `delete from ledger where wallet_id = '{wallet}' and sequence = 2`,
  ],
  ['seal 2', /stands where seal 1 belongs/, removed(1)],
  ['seal 3', /stands where seal 2 belongs/, removed(2)],
  [
    'seal {last}',
    /the newest that is there is seal/,
    `delete from seals where account_id = '{account}' and number = {last}`,
  ],
  ['seal 2', /is not what the key .* has signed/, seal(2, `text = replace(text, '"epoch":1', '"epoch":2')`)],
  ['seal 2', /no text of a seal/, seal(2, `text = text || ' '`)],
  ['seal 2', /has signed/, seal(2, flipped('signature'))],
  ['seal 2', /not those that it was made of/, seal(2, flipped('leaves'))],
  ['seal 2', /are not those of then/, seal(2, flipped('salt'))],
  ['seal 2', /are not those of then/, seal(2, `balances = replace(balances, '"sequence":', '"sequence": ')`)],
  ['seal 2', /its text is that of seal 2/, seal(2, 'to_position = to_position + 1')],
  ['seal 1', /its text is that of seal 2/, `${removed(1)}; ${seal(2, 'number = 1')}`],
]
