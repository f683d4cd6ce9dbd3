// Which commands there are, in the order and groups of the help. Data alone: a command is loaded when it is run, so that
// `gateway --help` loads none of them.
import type { Command } from 'commander'

/** The groups of the help, in its order. */
export const GROUPS = ['Start', 'Money', 'Events', 'Account', 'Operate', 'Tools'] as const

export type Listed = {
  readonly name: string
  readonly group: (typeof GROUPS)[number]
  /** One line of the help. The command's own help says the same (test/cli/command-table.test.ts). */
  readonly about: string
  readonly load: () => Promise<Command>
}

export const COMMANDS: readonly Listed[] = [
  {
    name: 'start',
    group: 'Start',
    about: 'start the gateway: database, API and workers, and for a trial a sandbox provider',
    load: async () => (await import('./operator/start.ts')).start,
  },
  {
    name: 'demo',
    group: 'Start',
    about: 'show a contract that sends money, and one that brings it in, on a running gateway',
    load: async () => (await import('./demo/demo.ts')).demo,
  },
  {
    name: 'transfers',
    group: 'Money',
    about: 'create, change, issue, pay, cancel and read transfer contracts, and unstick them',
    load: async () => (await import('./contracts/transfers.ts')).transfers,
  },
  {
    name: 'payments',
    group: 'Money',
    about: 'create, pay, read, cancel, refund and return payment contracts: money that comes in',
    load: async () => (await import('./contracts/payments.ts')).payments,
  },
  {
    name: 'wallets',
    group: 'Money',
    about: 'open, change and read wallets, print statements, move money between them',
    load: async () => (await import('./wallets/wallets.ts')).wallets,
  },
  {
    name: 'profiles',
    group: 'Money',
    about: 'save whom you deal with, and how they are paid',
    load: async () => (await import('./profiles/profiles.ts')).profiles,
  },
  {
    name: 'verifiers',
    group: 'Money',
    about: 'what verifies payees, and your own lists',
    load: async () => (await import('./verifiers/verifiers.ts')).verifiers,
  },
  {
    name: 'verifications',
    group: 'Money',
    about: 'ask whether a payee is who you think',
    load: async () => (await import('./verifiers/verifications.ts')).verifications,
  },
  {
    name: 'policies',
    group: 'Money',
    about: 'say what may leave the account, and who approves it',
    load: async () => (await import('./policies/policies.ts')).policies,
  },
  {
    name: 'commands',
    group: 'Money',
    about: 'do one thing to many contracts: pay everybody of a CSV file',
    load: async () => (await import('./commands/commands.ts')).commands,
  },
  {
    name: 'approvals',
    group: 'Money',
    about: 'approve or reject what policies hold back, as a member',
    load: async () => (await import('./approvals/approvals.ts')).approvals,
  },
  {
    name: 'schedules',
    group: 'Money',
    about: 'pay again and again, on days that a rule names',
    load: async () => (await import('./schedules/schedules.ts')).schedules,
  },
  {
    name: 'receipts',
    group: 'Money',
    about: 'get and check signed receipts of contracts',
    load: async () => (await import('./contracts/receipts.ts')).receipts,
  },
  {
    name: 'find',
    group: 'Money',
    about: 'find contracts, profiles and events, newest first',
    load: async () => (await import('./resources/find.ts')).find,
  },
  {
    name: 'resources',
    group: 'Money',
    about: 'show the reference data, or what an id names',
    load: async () => (await import('./resources/resources.ts')).resources,
  },
  {
    name: 'events',
    group: 'Events',
    about: 'read, follow and resend what happened to contracts',
    load: async () => (await import('./webhooks/events.ts')).events,
  },
  {
    name: 'logs',
    group: 'Events',
    about: 'see which requests the account sent, and what became of them',
    load: async () => (await import('./resources/logs.ts')).logs,
  },
  {
    name: 'explain',
    group: 'Events',
    about: 'tell the whole story of a contract, request, event or delivery',
    load: async () => (await import('./resources/explain.ts')).explain,
  },
  {
    name: 'webhooks',
    group: 'Events',
    about: 'make, watch and change the endpoints that events are delivered to',
    load: async () => (await import('./webhooks/webhooks.ts')).webhooks,
  },
  {
    name: 'listen',
    group: 'Events',
    about: 'deliver events to a receiver on this machine, until Ctrl-C',
    load: async () => (await import('./webhooks/listen.ts')).listen,
  },
  {
    name: 'trigger',
    group: 'Events',
    about: 'make an event happen, with a test account and the sandbox provider',
    load: async () => (await import('./webhooks/trigger.ts')).trigger,
  },
  {
    name: 'sandbox',
    group: 'Events',
    about: 'see and change what the sandbox provider plays, its clock and its books',
    load: async () => (await import('./sandbox/sandbox.ts')).sandbox,
  },
  {
    name: 'doctor',
    group: 'Events',
    about: 'examine a receiver of webhooks, or a production; exit code 1 when it fails',
    load: async () => (await import('./webhooks/doctor.ts')).doctor,
  },
  {
    name: 'members',
    group: 'Account',
    about: 'who signs in for an account',
    load: async () => (await import('./members/members.ts')).members,
  },
  {
    name: 'api-keys',
    group: 'Account',
    about: 'make, bound, roll and end keys of the account, over HTTP',
    load: async () => (await import('./accounts/api-keys.ts')).apiKeys,
  },
  {
    name: 'audit',
    group: 'Account',
    about: 'see who did what to the account',
    load: async () => (await import('./accounts/audit.ts')).audit,
  },
  {
    name: 'overview',
    group: 'Account',
    about: 'show what waits for a person, what is under way, and what it came to',
    load: async () => (await import('./accounts/overview.ts')).overview,
  },
  {
    name: 'usage',
    group: 'Account',
    about: 'show what the account used, by day in UTC',
    load: async () => (await import('./accounts/usage.ts')).usage,
  },
  {
    name: 'init',
    group: 'Operate',
    about: 'set a production up: configuration, schema, first account, owner and key',
    load: async () => (await import('./operator/init.ts')).init,
  },
  {
    name: 'accounts',
    group: 'Operate',
    about: 'make, list, fund and configure accounts',
    load: async () => (await import('./operator/accounts.ts')).accounts,
  },
  {
    name: 'keys',
    group: 'Operate',
    about: 'make, list, end and roll API keys',
    load: async () => (await import('./operator/keys.ts')).keys,
  },
  {
    name: 'channels',
    group: 'Operate',
    about: 'list channels, stop them, and let frozen ones go on',
    load: async () => (await import('./operator/channels.ts')).channels,
  },
  {
    name: 'payouts',
    group: 'Operate',
    about: 'pause payouts, of one channel or all, and let them go on',
    load: async () => (await import('./operator/payouts.ts')).payouts,
  },
  {
    name: 'lanes',
    group: 'Operate',
    about: 'tell which node of a Citus cluster, or which PostgreSQL, has which lanes, and move them',
    load: async () => (await import('./operator/lanes.ts')).lanes,
  },
  {
    name: 'backup',
    group: 'Operate',
    about: 'back the embedded database up while it works; list backups, and prove that one can be restored',
    load: async () => (await import('./operator/backup.ts')).backup,
  },
  {
    name: 'restore',
    group: 'Operate',
    about: 'restore a backup into a directory of its own, up to a moment; it starts in recovery',
    load: async () => (await import('./operator/restore.ts')).restore,
  },
  {
    name: 'recovery',
    group: 'Operate',
    about: 'see that the database is older than what was done with it, and end that',
    load: async () => (await import('./operator/recovery.ts')).recovery,
  },
  {
    name: 'reconcile',
    group: 'Operate',
    about: 'compare a provider’s statement of a day with the books, line by line',
    load: async () => (await import('./operator/reconcile.ts')).reconcile,
  },
  {
    name: 'verify',
    group: 'Operate',
    about: 'prove the books: balances, holds, history, moves and attempts, lane by lane',
    load: async () => (await import('./operator/verify.ts')).verify,
  },
  {
    name: 'seals',
    group: 'Operate',
    about: 'prove that no sealed past was changed',
    load: async () => (await import('./operator/seals.ts')).seals,
  },
  {
    name: 'archive',
    group: 'Operate',
    about: 'write the sealed past into files, and prove such files without the database',
    load: async () => (await import('./archives/archive.ts')).archive,
  },
  {
    name: 'size',
    group: 'Operate',
    about: 'tell what each table takes, what a contract takes, and what the database will take',
    load: async () => (await import('./operator/size.ts')).size,
  },
  {
    name: 'migrate',
    group: 'Operate',
    about: 'bring the database schema up to date (start does it, too)',
    load: async () => (await import('./operator/migrate.ts')).migrate,
  },
  {
    name: 'login',
    group: 'Tools',
    about: 'keep a gateway and a key under a name, and call it from now on',
    load: async () => (await import('./accounts/login.ts')).login,
  },
  {
    name: 'use',
    group: 'Tools',
    about: 'call the gateway of another login from now on',
    load: async () => (await import('./accounts/login.ts')).use,
  },
  {
    name: 'whoami',
    group: 'Tools',
    about: 'show which gateway is called, as whom, and where both come from',
    load: async () => (await import('./accounts/login.ts')).whoami,
  },
  {
    name: 'logout',
    group: 'Tools',
    about: 'forget a login, or all of them; the key itself goes on (gateway api-keys revoke)',
    load: async () => (await import('./accounts/login.ts')).logout,
  },
  {
    name: 'open',
    group: 'Tools',
    about: 'open a page of the gateway in the browser',
    load: async () => (await import('./shell/open.ts')).open,
  },
  {
    name: 'mcp',
    group: 'Tools',
    about: 'serve the gateway as tools of an agent (MCP)',
    load: async () => (await import('./mcp/mcp.ts')).mcp,
  },
  {
    name: 'completion',
    group: 'Tools',
    about: 'print a script that completes words in bash, zsh or fish',
    load: async () => (await import('./shell/completion.ts')).completionOf(COMMANDS),
  },
  {
    name: 'bench',
    group: 'Tools',
    about: 'measure this machine: contracts, payments and reads a second',
    load: async () => (await import('./operator/bench.ts')).bench,
  },
]
