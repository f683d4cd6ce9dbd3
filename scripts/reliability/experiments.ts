// What is tried to break the gateway, and what must hold meanwhile: the experiments of RELIABILITY.md (document.ts). Each is
// a command of package.json that ends with 1 when it finds something.

export type Experiment = {
  readonly name: string
  /** What is done to the gateway. */
  readonly tried: string
  /** What must hold, and is looked for. */
  readonly promised: string
  readonly script:
    | 'chaos'
    | 'crash'
    | 'mutants'
    | 'node-kills'
    | 'promotions'
    | 'rehearsals'
    | 'restored-days'
    | 'simulate'
    | 'soak'
    | 'stories'
    | 'torture'
  readonly short: readonly string[]
  readonly full: readonly string[]
}

/** Those parts of `npm run torture` alone that are named. */
function torture(parts: Readonly<Record<string, number>>): string[] {
  const all = { payouts: 0, races: 0, 'outage-seconds': 0, lies: 0, permutations: 0, 'payment-races': 0 }
  const counts = { ...all, 'event-kills': 0, 'command-rows': 0, 'command-kills': 0, ...parts }
  return Object.entries(counts).flatMap(([name, count]) => [`--${name}`, String(count)])
}

export const EXPERIMENTS: readonly Experiment[] = [
  {
    name: 'Kills and freezes',
    tried:
      'gateway, provider and PostgreSQL killed -9 and stood still at random under load, some again while they come back',
    promised: 'nothing that was acknowledged is lost; the provider executes each transfer once at most; the books hold',
    script: 'crash',
    short: ['--kills', '20', '--freezes', '8'],
    full: ['--kills', '200', '--freezes', '100'],
  },
  {
    name: 'Cuts at COMMIT',
    tried:
      'the connection to PostgreSQL cut before a COMMIT is sent, in the middle of it, and when it is executed but its answer is not back; in between the road is slow',
    promised: 'whoever asks again with the same key gets the one effect; nothing that was acknowledged is lost',
    script: 'chaos',
    short: ['--cuts', '50', '--slow', '5'],
    full: ['--cuts', '1000', '--slow', '50'],
  },
  {
    name: 'Full disks',
    tried: 'the disk of the database full to its last byte for some seconds under load, and freed',
    promised: 'writes are refused with 503 and nothing else; all goes on by itself; nothing is lost',
    script: 'chaos',
    short: ['--full-disks', '5'],
    full: ['--full-disks', '20'],
  },
  {
    name: 'Clocks that jump',
    tried:
      'the clock of the gateway, of the database, or of both set up to 60 hours forward or back for some seconds, under load',
    promised:
      'nothing is executed twice or lost, no contract expires that has been paid, and what waits goes on within seconds of the time of now',
    script: 'chaos',
    short: ['--clock-jumps', '5'],
    full: ['--clock-jumps', '20'],
  },
  {
    name: 'All at once',
    tried: 'every kind of fault above at random moments, several at once, on two gateways and one database',
    promised: 'nothing is lost, nothing happens twice, and left alone all comes to its end within five minutes',
    script: 'chaos',
    short: ['--gateways', '2', '--minutes', '2'],
    full: ['--gateways', '2', '--minutes', '60'],
  },
  {
    name: 'Zombies',
    tried:
      'two and three gateways on one database, killed and stood still for longer than their leases, then continued',
    promised: 'what a zombie writes late is fenced; the provider executes each transfer once at most',
    script: 'chaos',
    short: ['--gateways', '2', '--freezes', '10', '--kills', '4'],
    full: ['--gateways', '3', '--freezes', '100', '--kills', '50'],
  },
  {
    name: 'Promoted standbys',
    tried:
      'the database killed with all of its processes under load, and its synchronous standby promoted, again and again, with one gateway and with two',
    promised:
      'nothing that was acknowledged is lost, every gateway goes on by itself and is in no recovery, and the provider executes each transfer once at most',
    script: 'promotions',
    short: ['--promotions', '3', '--gateways', '2'],
    full: ['--promotions', '50', '--gateways', '2'],
  },
  {
    name: 'Nodes of a cluster',
    tried:
      'a Citus cluster of a coordinator and two workers with three gateways, under load of accounts on both workers: a worker, the coordinator or a gateway killed -9, also between the two phases of a commit, before and after it was decided, a gateway started while a worker is dead, and a worker dead for good, in whose place its synchronous standby is promoted. CITUS_KIT names the kit that makes the cluster',
    promised:
      'nothing that was acknowledged is lost, the provider executes each transfer once at most, every event is delivered, no transaction stays prepared, what an operator did is on every node or on none, and accounts on the other worker go on',
    script: 'node-kills',
    short: ['--rounds', '3'],
    full: ['--rounds', '20'],
  },
  {
    name: 'An older database comes back',
    tried:
      'a copy made under load at a random moment, comes back after the provider, clients and receivers went on; recovered by two operators, with all clients asking again',
    promised:
      'each intent is executed once; no refund that was told stands beside an execution without a line in the report; books and provider agree; receivers end with the true state; no id comes again with other content',
    script: 'restored-days',
    short: ['--days', '2'],
    full: ['--days', '50', '--together', '4'],
  },
  {
    name: 'Payouts into doubt',
    tried: 'a rail that executes and then hangs, resets, or answers 500 for half of the orders',
    promised: 'each order is executed once, and every doubt ends',
    script: 'torture',
    short: torture({ payouts: 500 }),
    full: torture({ payouts: 10_000 }),
  },
  {
    name: 'Races',
    tried: 'pay, cancel, expiry and callbacks of one contract at once',
    promised: 'each ends in one legal state; none is completed and refunded',
    script: 'torture',
    short: torture({ races: 300 }),
    full: torture({ races: 5000 }),
  },
  {
    name: 'A rail that is away',
    tried: 'a black hole instead of one rail, with the others at work',
    promised: 'no hold is let go, the others go on, and the backlog drains',
    script: 'torture',
    short: torture({ 'outage-seconds': 20 }),
    full: torture({ 'outage-seconds': 600 }),
  },
  {
    name: 'A rail that lies',
    tried: '"not found" for what was executed; references forgotten; other amounts',
    promised: 'nothing is sent twice or given back by mistake; what cannot be known waits for an operator',
    script: 'torture',
    short: torture({ lies: 50 }),
    full: torture({ lies: 500 }),
  },
  {
    name: 'Events in any order',
    tried:
      'providers’ events repeated, out of order, contradicting, between requests; kills at the moment of the answer',
    promised: 'the end is that of the right order; money is booked once; what was answered 200 is there',
    script: 'torture',
    short: torture({ permutations: 300, 'payment-races': 100, 'event-kills': 40 }),
    full: torture({ permutations: 10_000, 'payment-races': 1000, 'event-kills': 500 }),
  },
  {
    name: 'Files of rows',
    tried: 'a command of many rows; kills -9 while it works, with one gateway and with two',
    promised: 'each row is done once by the provider’s books; the gateway needs less than 300 MB',
    script: 'torture',
    short: torture({ 'command-rows': 5000, 'command-kills': 2 }),
    full: torture({ 'command-rows': 100_000, 'command-kills': 20, 'kill-rows': 100_000 }),
  },
  {
    name: 'Rehearsals',
    tried:
      'histories of chance: what one account pays and takes back is rehearsed under policies of chance, and paid once more by an account that has them from the beginning',
    promised: 'each payment is denied, held back and priced as the rehearsal told',
    script: 'rehearsals',
    short: ['--histories', '300'],
    full: ['--histories', '10000'],
  },
  {
    name: 'Wallets',
    tried: 'random stories of several wallets, freezes, limits and moves between accounts',
    promised: 'balances are as a second, simple book says',
    script: 'stories',
    short: ['--stories', '200'],
    full: ['--stories', '10000'],
  },
  {
    name: 'Simulated stories',
    tried:
      'the engine on a store in memory and a clock made to pass: callers, two gateways, rails and payers in any order, crashes',
    promised: 'money leaves once, no refund stands beside an execution, each history is legal, and everything ends',
    script: 'simulate',
    short: ['--seeds', '300'],
    full: ['--seeds', '100000'],
  },
  {
    name: 'A long time',
    tried: 'work without a pause with a fault a minute',
    promised: 'memory, descriptors, connections and dead rows stay where they were',
    script: 'soak',
    short: ['--minutes', '5'],
    full: ['--minutes', '90'],
  },
  {
    name: 'Planted faults',
    tried: 'mistakes that cost others money, put into the product one at a time',
    promised: 'the tests find each',
    script: 'mutants',
    short: ['--every', '4'],
    full: [],
  },
]
