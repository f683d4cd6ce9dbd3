// Pictures of the gateway as a whole and of its machinery: parts, lanes and batches, calls to rails, webhooks, processes.
import type { Picture } from './picture.ts'

const WHOLE: Picture = {
  name: 'gateway',
  title: 'The gateway and what is around it',
  description:
    'Your program calls the gateway over HTTP with an API key, and your payer opens its payment page. The gateway is one Node process ' +
    'with a PostgreSQL. It pays out through rails such as InstaPay, PESONet, GCash and Maya, brings money in through GCash, Maya, QR Ph, ' +
    'cards and chains, and sends signed webhooks to your endpoints.',
  size: [800, 330],
  areas: [{ at: [232, 24], size: [336, 284], title: 'ONE PROCESS, ONE POSTGRESQL', tone: 'ours' }],
  boxes: {
    program: { at: [20, 60], size: [160, 62], tone: 'plain', lines: ['Your program', 'SDK, CLI or HTTP'] },
    payer: { at: [20, 148], size: [160, 62], tone: 'plain', lines: ['Your payer', 'payment page'] },
    endpoint: { at: [20, 236], size: [160, 62], tone: 'plain', lines: ['Your endpoints', 'signed webhooks'] },
    api: { at: [256, 60], size: [136, 62], tone: 'ours', lines: ['API', 'and pages'] },
    path: { at: [256, 150], size: [136, 58], tone: 'ours', lines: ['Write path', 'decides, in batches'] },
    workers: {
      at: [412, 60],
      size: [136, 148],
      tone: 'ours',
      lines: ['Workers', 'payouts', 'collections', 'settlement', 'webhooks'],
    },
    database: {
      at: [256, 236],
      size: [292, 54],
      tone: 'money',
      lines: ['PostgreSQL', 'contracts, history, ledger, wallets, jobs'],
    },
    out: {
      at: [620, 60],
      size: [160, 96],
      tone: 'outside',
      lines: ['Rails out', 'InstaPay, PESONet,', 'GCash, Maya, wallet,', 'chains'],
    },
    in: {
      at: [620, 186],
      size: [160, 96],
      tone: 'outside',
      lines: ['Rails in', 'GCash, Maya, QR Ph,', 'cards, wallet,', 'chains'],
    },
  },
  arrows: [
    { from: ['program', 'right'], to: ['api', 'left'], label: 'contracts', labelAt: [218, 79] },
    {
      from: ['payer', 'right'],
      through: [
        [206, 179],
        [206, 108],
      ],
      to: ['api', 'left', 17],
    },
    { from: ['api', 'bottom'], to: ['path', 'top'] },
    { from: ['path', 'bottom'], to: ['database', 'top', -78] },
    { from: ['workers', 'bottom'], to: ['database', 'top', 78] },
    { from: ['workers', 'right', -26], to: ['out', 'left'], label: 'pay out', labelAt: [594, 92] },
    {
      from: ['workers', 'right', 50],
      through: [
        [594, 184],
        [594, 214],
      ],
      to: ['in', 'left', -20],
      label: 'collect',
      labelAt: [596, 168],
    },
    { from: ['database', 'left'], to: ['endpoint', 'right', -4], label: 'events', labelAt: [206, 250] },
  ],
}

const LANES: Picture = {
  name: 'lanes',
  title: 'Lanes, writers and batches',
  description:
    'Each account lives on one of 256 lanes for good. A process has a few writers, and a writer owns every nth lane. ' +
    'Commands that arrive while a batch is in flight form the next one. A batch is one transaction: lock accounts and load, decide in memory, store and commit. Everyone is answered after the commit.',
  size: [800, 300],
  areas: [{ at: [392, 30], size: [228, 244], title: 'A BATCH: ONE TRANSACTION', tone: 'ours' }],
  boxes: {
    ana: { at: [16, 44], size: [156, 44], tone: 'plain', lines: ['pay, account A'] },
    ben: { at: [16, 104], size: [156, 44], tone: 'plain', lines: ['create, account B'] },
    cy: { at: [16, 164], size: [156, 44], tone: 'plain', lines: ['cancel, account A'] },
    dee: { at: [16, 224], size: [156, 44], tone: 'plain', lines: ['pay, account C'] },
    even: { at: [216, 72], size: [132, 62], tone: 'ours', lines: ['Writer 1', 'lanes 0, 2, 4, …'] },
    odd: { at: [216, 182], size: [132, 62], tone: 'ours', lines: ['Writer 2', 'lanes 1, 3, 5, …'] },
    load: { at: [416, 62], size: [180, 54], tone: 'plain', lines: ['1  lock and load', 'one round trip'] },
    decide: { at: [416, 136], size: [180, 54], tone: 'plain', lines: ['2  decide', 'in memory, in order'] },
    store: { at: [416, 210], size: [180, 54], tone: 'plain', lines: ['3  store and commit', 'one round trip'] },
    lanes: {
      at: [660, 62],
      size: [120, 202],
      tone: 'money',
      lines: ['PostgreSQL', 'lane 0', 'lane 1', 'lane 2', '…', 'lane 255'],
    },
  },
  arrows: [
    { from: ['ana', 'right'], to: ['even', 'left', -14] },
    {
      from: ['ben', 'right'],
      through: [
        [188, 126],
        [188, 204],
      ],
      to: ['odd', 'left', -9],
    },
    {
      from: ['cy', 'right'],
      through: [
        [200, 186],
        [200, 116],
      ],
      to: ['even', 'left', 13],
    },
    {
      from: ['dee', 'right'],
      through: [
        [188, 246],
        [188, 226],
      ],
      to: ['odd', 'left', 13],
    },
    {
      from: ['even', 'right'],
      through: [
        [380, 103],
        [380, 89],
      ],
      to: ['load', 'left'],
    },
    {
      from: ['odd', 'right'],
      through: [
        [380, 213],
        [380, 97],
      ],
      to: ['load', 'left', 8],
      dashed: true,
    },
    { from: ['load', 'bottom'], to: ['decide', 'top'] },
    { from: ['decide', 'bottom'], to: ['store', 'top'] },
    { from: ['load', 'right'], to: ['lanes', 'left', -74] },
    { from: ['store', 'right'], to: ['lanes', 'left', 74] },
  ],
}

const STEPS: Picture = {
  name: 'lease-call-record',
  title: 'Three steps around every call to a rail',
  description:
    'First a worker leases the job in a transaction. Then it calls the rail, with no transaction open and with the attempt’s own reference. ' +
    'Then it records the outcome in a second transaction. If the process dies after the lease, the attempt becomes unknown and the rail is asked; it is never taken for not sent.',
  size: [800, 230],
  boxes: {
    lease: {
      at: [40, 50],
      size: [190, 70],
      tone: 'ours',
      lines: ['1  Lease', 'a transaction: this job', 'is mine for 15 seconds'],
    },
    call: {
      at: [305, 50],
      size: [190, 70],
      tone: 'outside',
      lines: ['2  Call the rail', 'no transaction; the', 'attempt’s own reference'],
    },
    record: {
      at: [570, 50],
      size: [190, 70],
      tone: 'ours',
      lines: ['3  Record', 'a transaction: delivered,', 'failed, or unknown'],
    },
    crash: { at: [270, 160], size: [260, 52], tone: 'doubt', lines: ['died in between', 'unknown: the rail is asked'] },
  },
  arrows: [
    { from: ['lease', 'right'], to: ['call', 'left'] },
    { from: ['call', 'right'], to: ['record', 'left'] },
    { from: ['call', 'bottom'], to: ['crash', 'top'], dashed: true },
  ],
}

const DELIVERY: Picture = {
  name: 'delivery',
  title: 'How an event reaches your endpoint',
  description:
    'A committed change is the event. Each endpoint keeps its position in the history of the account. First tries go out in order. ' +
    'A 2xx within 15 seconds is delivered. Anything else is tried again after 5 seconds up to 24 hours, for 75.7 hours, and is then dead. ' +
    'A replay sends any of them again. The feed and the stream read the same history.',
  size: [860, 336],
  boxes: {
    change: { at: [20, 60], size: [190, 62], tone: 'ours', lines: ['A committed change', 'is the event: one row'] },
    position: { at: [262, 60], size: [170, 62], tone: 'ours', lines: ['Your endpoint', 'its place in the history'] },
    first: { at: [476, 60], size: [150, 62], tone: 'plain', lines: ['First try', 'in order, signed'] },
    delivered: { at: [690, 60], size: [150, 62], tone: 'money', lines: ['delivered', '2xx in 15 s'] },
    retry: {
      at: [466, 184],
      size: [170, 70],
      tone: 'doubt',
      lines: ['Tries again', '5 s, 30 s, 2 min, …', '24 h: 75.7 h in all'],
    },
    dead: { at: [690, 188], size: [150, 62], tone: 'end', lines: ['dead', 'kept, and shown'] },
    feed: { at: [20, 192], size: [190, 62], tone: 'plain', lines: ['GET /events', 'all of it, for ever'] },
    breaker: {
      at: [248, 184],
      size: [184, 70],
      tone: 'plain',
      lines: ['Breaker', 'five failures in a row:', 'pause, then one probe'],
    },
  },
  arrows: [
    { from: ['change', 'right'], to: ['position', 'left'] },
    { from: ['position', 'right'], to: ['first', 'left'] },
    { from: ['first', 'right'], to: ['delivered', 'left'] },
    { from: ['first', 'bottom'], to: ['retry', 'top'], label: 'anything else', labelAt: [551, 153] },
    {
      from: ['retry', 'right', -20],
      through: [
        [662, 199],
        [662, 153],
        [765, 153],
      ],
      to: ['delivered', 'bottom'],
    },
    { from: ['retry', 'right', 10], to: ['dead', 'left', 10] },
    { from: ['change', 'bottom'], to: ['feed', 'top'], label: 'the same history' },
    { from: ['retry', 'left'], to: ['breaker', 'right'], dashed: true },
    {
      from: ['dead', 'bottom'],
      through: [
        [765, 306],
        [551, 306],
      ],
      to: ['retry', 'bottom'],
      dashed: true,
      label: 'replay, when you ask',
      labelAt: [658, 306],
    },
  ],
}

const PROCESSES: Picture = {
  name: 'scale-out',
  title: 'Several gateways on one database',
  description:
    'A proxy ends TLS and shares requests among several gateways. All of them use one PostgreSQL, which decides. ' +
    'Each webhook endpoint and each job is worked on by one gateway at a time, under a lease. A standby of PostgreSQL is for failover.',
  size: [800, 250],
  boxes: {
    proxy: { at: [20, 90], size: [150, 62], tone: 'plain', lines: ['Proxy', 'TLS, limits'] },
    one: { at: [250, 24], size: [190, 54], tone: 'ours', lines: ['gateway start', 'API and workers'] },
    two: { at: [250, 94], size: [190, 54], tone: 'ours', lines: ['gateway start', 'API and workers'] },
    three: { at: [250, 164], size: [190, 54], tone: 'ours', lines: ['gateway start', 'API and workers'] },
    database: { at: [530, 80], size: [120, 82], tone: 'money', lines: ['PostgreSQL', 'the one truth'] },
    standby: { at: [690, 90], size: [92, 62], tone: 'outside', lines: ['Standby', 'yours'] },
  },
  arrows: [
    {
      from: ['proxy', 'right', -14],
      through: [
        [210, 107],
        [210, 51],
      ],
      to: ['one', 'left'],
    },
    { from: ['proxy', 'right'], to: ['two', 'left'] },
    {
      from: ['proxy', 'right', 14],
      through: [
        [210, 135],
        [210, 191],
      ],
      to: ['three', 'left'],
    },
    {
      from: ['one', 'right'],
      through: [
        [486, 51],
        [486, 105],
      ],
      to: ['database', 'left', -16],
    },
    { from: ['two', 'right'], to: ['database', 'left'] },
    {
      from: ['three', 'right'],
      through: [
        [486, 191],
        [486, 137],
      ],
      to: ['database', 'left', 16],
    },
    { from: ['database', 'right'], to: ['standby', 'left'], dashed: true },
  ],
}

export const SYSTEM_PICTURES: readonly Picture[] = [WHOLE, LANES, STEPS, DELIVERY, PROCESSES]
