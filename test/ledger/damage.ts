// Every way in which books can be unsound, as the owner of the database would bring it about, with the proof that must
// find it and the words of the row that it must name. `{name}` stands for the id of the contract, wallet or account.

/** A member of a contract's newest document, set to a JSON value. */
const document = (name: string, member: string, value: unknown) => `
  do $$ declare p bigint; d json; begin
    select position into strict p from contracts where id = '{${name}}';
    select jsonb_set(document::jsonb, '{${member}}', '${JSON.stringify(value)}') into strict d
      from contract_versions where contract_id = '{${name}}' and position = p;
    update contract_versions set document = d where contract_id = '{${name}}' and position = p;
  end $$`
const head = (name: string, change: string) => `update contracts set ${change} where id = '{${name}}'`
const version = (name: string, number: number, change: string) =>
  `update contract_versions set ${change} where contract_id = '{${name}}' and version = ${number}`
const attempt = (name: string, change: string) => `update jobs set ${change} where contract_id = '{${name}}'`
const wallet = (change: string) => `update wallets set ${change} where id = '{wallet}'`
const entry = (sequence: number, change: string) =>
  `update ledger set ${change} where wallet_id = '{wallet}' and sequence = ${sequence}`
/** The row of a contract that gives to an account. */
const gives = (name: string, credit: string, change: string) =>
  `update ledger set ${change} where contract_id = '{${name}}' and credit = '${credit}'`
const fee = (change: string) => gives('completed', 'fee_revenue', change)

/** The database's own checks are taken off first, where they would forbid the damage. */
const unchecked = (table: string, change: string) => `
  do $$ declare c text; begin
    for c in select conname from pg_constraint where conrelid = '${table}'::regclass and contype = 'c'
    loop execute 'alter table ${table} drop constraint ' || quote_ident(c); end loop;
  end $$; ${change}`
/** And what refers to it, or it to others. */
const unreferenced = (table: string, change: string) => `
  do $$ declare c record; begin
    for c in select conname, conrelid::regclass as child from pg_constraint
              where contype = 'f' and '${table}'::regclass in (conrelid, confrelid)
    loop execute 'alter table ' || c.child || ' drop constraint ' || quote_ident(c.conname); end loop;
  end $$; ${unchecked(table, change)}`
const SECOND_ATTEMPT = `
  alter table jobs drop constraint jobs_pkey;
  insert into jobs (lane, account_id, contract_id, kind, livemode, number, channel_id, reference, status)
  select lane, account_id, contract_id, kind, livemode, 2, channel_id, reference, 'queued' from jobs where contract_id = '{accepted}'`
const MISPLACED = `update ledger set contract_id = '{issued}' where contract_id = '{completed}'`
/** The row that booked money of a contract. */
const booked = (name: string, change: string) =>
  `update payment_events set ${change} where contract_id = '{${name}}' and amount_minor is not null`
const LOST_ANSWER = `insert into idempotency_keys (lane, account_id, key_hash, fingerprint, position, created_at)
  select lane, account_id, gen_random_uuid(), gen_random_uuid(), 4711, now() from accounts where account_id = '{payer}'`

export const DAMAGE: readonly (readonly [proof: string, row: string, sql: string])[] = [
  ['wallet.available = ledger', 'wallet {wallet}', wallet('available_minor = available_minor + 1')],
  ['wallet.held = ledger', 'wallet {wallet}', wallet('held_minor = held_minor + 1')],
  ['wallet.in_transit = ledger', 'wallet {wallet}', wallet('in_transit_minor = 0')],
  ['wallet.sequence = count of rows', 'wallet {wallet}', wallet('sequence = sequence + 1')],
  ['wallet.held + in_transit = its contracts', 'the PHP wallet', wallet('held_minor = held_minor + 5')],
  ['ledger.wallet exists', 'wallet {wallet}', `delete from wallets where id = '{wallet}'`],
  [
    'ledger.sequence gapless',
    'row 3 of wallet {wallet}',
    `delete from ledger where wallet_id = '{wallet}' and sequence = 2`,
  ],
  ['ledger.available_after chain', 'row 2 of wallet {wallet}', entry(2, 'available_after_minor = 1')],
  ['ledger.balances_after chain', 'row 2 of wallet {wallet}', entry(2, 'suspense_after_minor = 1')],
  ['ledger.debit and credit differ', 'of wallet {wallet}', unchecked('ledger', fee('credit = debit'))],
  ['ledger.amount above zero', 'of wallet {wallet}', unchecked('ledger', fee('amount_minor = 0'))],
  ['ledger.accounts known', 'of wallet {wallet}', fee(`credit = 'mine'`)],
  ['ledger.origin named', 'row 1 of wallet {wallet}', entry(1, 'reference = null')],
  [
    'ledger.live credit recorded',
    // The account has two wallets, and either may be the first.
    'row 1 of wallet ',
    unreferenced('account_modes', `update account_modes set livemode = true where account_id = '{payer}'`),
  ],
  [
    'ledger.credit of its mode',
    'row 1 of wallet {wallet}',
    unreferenced('outside_credits', `update outside_credits set livemode = true where wallet_id = '{wallet}'`),
  ],
  ['ledger.position = history', 'of wallet {wallet}', fee('position = 1')],
  ['ledger.contract exists', 'contract {completed}', `delete from contracts where id = '{completed}'`],
  ['contract.version in history', 'contract {issued}', head('issued', 'version = 7')],
  ['contract.position = history', 'contract {issued}', head('issued', 'position = 1')],
  ['contract.status = document', 'contract {issued}', head('issued', `status = 'draft'`)],
  ['contract.status = document', 'contract {issued}', version('issued', 2, `document = '7'`)],
  ['contract.amount = document', 'contract {issued}', head('issued', 'amount_minor = 1')],
  ['contract.held = document', 'contract {queued}', head('queued', 'held_minor = 0')],
  ['contract.channel = document', 'contract {issued}', head('issued', `channel_id = 'wallet'`)],
  ['contract.expires_at = document', 'contract {issued}', head('issued', `expires_at = now()`)],
  ['contract.mode = account', 'contract {issued}', document('issued', 'livemode', true)],
  ['contract.version = newest history', 'contract {issued}', head('issued', 'version = 1')],
  [
    'history.version gapless',
    'version 2 of contract {issued}',
    `delete from contract_versions where contract_id = '{issued}' and version = 1`,
  ],
  ['history.version = document', 'version 2 of contract {issued}', document('issued', 'version', 9)],
  [
    'history.position rises',
    'version 2 of contract {completed}',
    version('completed', 1, 'position = position + 100000'),
  ],
  [
    'history.position gapless',
    'position 3',
    `delete from contract_versions where account_id = '{payer}' and position = 2`,
  ],
  ['history.move on the table', 'version 2 of contract {issued}', document('issued', 'status', 'completed')],
  ['history.move on the table', 'version 2 of contract {issued}', version('issued', 2, `event = 'contract.paid'`)],
  ['event.sequence gapless', 'version 2 of contract {issued}', version('issued', 2, 'sequence = 5')],
  ['event.sequence = document', 'version 2 of contract {issued}', document('issued', 'sequence', 9)],
  [
    'account.position = newest history',
    'position',
    `update accounts set position = position + 1 where account_id = '{payer}'`,
  ],
  ['idempotency.position in history', 'idempotency key', LOST_ANSWER],
  [
    'contract.held = ledger',
    'contract {queued}',
    `${head('queued', 'held_minor = 1')}; ${document('queued', 'held_minor', '1')}`,
  ],
  ['contract.unpaid moved no money', 'contract {issued}', MISPLACED],
  ['contract.taken = debit', 'contract {completed}', document('completed', 'debit_minor', '1')],
  ['contract.taken = debit', 'contract {retried}', document('retried', 'activities', [])],
  ['contract.taken = debit', 'contract {refunded}', document('refunded', 'activities', [['transfer_retried', 1]])],
  ['contract.refund = hold', 'contract {retried_in_vain}', document('retried_in_vain', 'refund', ['1', 0])],
  ['contract.wallet = ledger', 'contract {completed}', document('completed', 'wallet_id', 'another')],
  [
    'contract.refunded at most what was paid',
    'contract {recalled}',
    gives('recalled', 'available', 'amount_minor = amount_minor + 1'),
  ],
  ['contract.never delivered and refunded', 'contract {completed}', fee(`debit = 'held', credit = 'available'`)],
  [
    'contract.paid = all of it held',
    'contract {refunded}',
    unchecked('contracts', `${head('refunded', `status = 'paid'`)}; ${document('refunded', 'status', 'paid')}`),
  ],
  ['contract.completed = all of it delivered', 'contract {completed}', fee(`credit = 'suspense'`)],
  [
    'contract.returned = what came back',
    'contract {bounced}',
    `${gives('bounced', 'available', `credit = 'external'`)}; ${head('bounced', `status = 'completed'`)}`,
  ],
  ['contract.refund = hold', 'contract {refunded}', document('refunded', 'refund', ['1', 0])],
  ['attempt.contract exists', 'contract {completed}', `delete from contracts where id = '{completed}'`],
  ['attempt.one live', 'attempt 2 of contract {accepted}', SECOND_ATTEMPT],
  ['attempt.live only while paid', 'contract {completed}', attempt('completed', `status = 'queued', due_at = now()`)],
  ['attempt.of every paid contract', 'contract {queued}', `delete from jobs where contract_id = '{queued}'`],
  ['attempt.status = document', 'attempt 1 of contract {queued}', attempt('queued', `status = 'accepted'`)],
  [
    'attempt.number and reference = document',
    'attempt 1 of contract {queued}',
    attempt('queued', `reference = 'another'`),
  ],
  ['attempt.waiting is due', 'attempt 1 of contract {queued}', attempt('queued', 'due_at = null')],
  ['wallet.pending = ledger', 'wallet {wallet}', wallet('pending_minor = pending_minor + 1')],
  ['wallet.suspense = ledger', 'wallet {wallet}', wallet('suspense_minor = 0')],
  ['wallet.pending = its contracts', 'the PHP wallet', wallet('pending_minor = 0')],
  ['wallet.suspense = its receipts', 'the PHP wallet', booked('late', 'suspense_minor = 0')],
  ['payment.paid = ledger', 'contract {to_settle}', gives('to_settle', 'fee_revenue', `credit = 'available'`)],
  ['payment.paid = ledger', 'contract {late}', gives('late', 'suspense', `credit = 'pending'`)],
  [
    'payment.paid = ledger',
    'contract {to_settle}',
    `update ledger set contract_id = '{late}' where contract_id = '{to_settle}'`,
  ],
  [
    'payment.settled has nothing pending',
    'contract {settled}',
    unchecked('contracts', head('settled', 'pending_minor = 1')),
  ],
  ['payment.pending = ledger', 'contract {part_refunded}', head('part_refunded', 'pending_minor = pending_minor + 1')],
  [
    'payment.pending = ledger',
    'contract {to_settle}',
    `${head('to_settle', 'pending_minor = 0')}; ${document('to_settle', 'pending_minor', '0')}`,
  ],
  ['payment.receipts = ledger', 'contract {to_settle}', booked('to_settle', 'amount_minor = amount_minor + 1')],
  ['payment.receipts = ledger', 'contract {late}', `delete from payment_events where contract_id = '{late}'`],
  ['payment.received = receipts', 'contract {settled}', document('settled', 'received_minor', '1')],
  ['payment.suspense = receipts', 'contract {late}', booked('late', 'suspense_minor = 1')],
  ['payment.refunded = its transfers', 'contract {part_refunded}', head('part_refunded', 'refunded_minor = 1')],
  [
    'payment.refunded = its transfers',
    'contract {part_refunded}',
    `update contracts set amount_minor = 1 where parent_id = '{part_refunded}'`,
  ],
  ['payment.head = document', 'contract {to_settle}', document('to_settle', 'paid_minor', '1')],
  [
    'payment.unsettled is due',
    'contract {to_settle}',
    `update jobs set due_at = null where contract_id = '{to_settle}'`,
  ],
]
