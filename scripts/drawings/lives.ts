// Pictures of what becomes of a contract: the life of a transfer, of a payment, and of one attempt at a rail.
import type { Box, Picture, Point, Tone } from './picture.ts'

const status = (at: Point, tone: Tone, name: string, ...lines: string[]): Box => ({
  at,
  size: [150, 62],
  tone,
  lines: [name, ...lines],
})

const TRANSFER: Picture = {
  name: 'transfer-life',
  title: 'The life of a transfer contract',
  description:
    'A transfer contract is created as a draft. Issue makes it issued, pay makes it paid, delivery makes it completed. ' +
    'A draft or issued contract can be cancelled or expire. A paid contract that was not delivered is cancelled with a full refund. ' +
    'A completed contract whose money bounces is returned, and then cancelled with a refund of the amount.',
  size: [860, 330],
  areas: [{ at: [16, 24], size: [396, 136], title: 'NOTHING IS PAID', tone: 'ours' }],
  boxes: {
    draft: status([36, 66], 'plain', 'draft', 'may be changed'),
    issued: status([240, 66], 'ours', 'issued', 'terms are frozen'),
    paid: status([474, 66], 'doubt', 'paid', 'held, on its way'),
    completed: status([690, 66], 'money', 'completed', 'it has arrived'),
    expired: status([36, 234], 'end', 'expired', 'nothing moved'),
    cancelled: status([364, 234], 'end', 'cancelled', 'the money is back'),
    returned: status([690, 234], 'doubt', 'returned', 'it came back'),
  },
  arrows: [
    { from: ['draft', 'right'], to: ['issued', 'left'], label: 'issue' },
    { from: ['issued', 'right'], to: ['paid', 'left'], label: 'pay', labelAt: [444, 97] },
    { from: ['paid', 'right'], to: ['completed', 'left'], label: 'delivered', labelAt: [657, 52] },
    { from: [111, 160], to: ['expired', 'top'], label: 'expires' },
    {
      from: [380, 160],
      through: [
        [380, 196],
        [410, 196],
      ],
      to: ['cancelled', 'top', -29],
      label: 'cancel',
      labelAt: [352, 196],
    },
    {
      from: ['paid', 'bottom'],
      through: [
        [549, 196],
        [470, 196],
      ],
      to: ['cancelled', 'top', 31],
      label: 'refused, or cancelled',
      labelAt: [560, 180],
    },
    { from: ['completed', 'bottom'], to: ['returned', 'top'], label: 'bounces' },
    { from: ['returned', 'left'], to: ['cancelled', 'right'], label: 'refund' },
  ],
}

const PAYMENT: Picture = {
  name: 'payment-life',
  title: 'The life of a payment contract',
  description:
    'A payment contract is issued as it is made. The payer makes attempts; a failed one leaves the contract issued. ' +
    'Success makes it paid, settlement makes it completed. Before it is paid it can be cancelled or expire. ' +
    'Money that is late, partial or too much waits in suspense and goes back.',
  size: [860, 310],
  boxes: {
    issued: status([20, 104], 'ours', 'issued', 'has a payment page'),
    attempt: { at: [290, 104], size: [170, 62], tone: 'plain', lines: ['an attempt', 'GCash, QR, card, …'] },
    paid: status([560, 104], 'doubt', 'paid', 'deliver now'),
    completed: status([692, 226], 'money', 'completed', 'settled: spend it'),
    expired: status([20, 226], 'end', 'expired', 'nobody paid'),
    cancelled: status([200, 226], 'end', 'cancelled', 'before it was paid'),
    suspense: { at: [400, 226], size: [180, 62], tone: 'outside', lines: ['suspense', 'late, partial, too much'] },
  },
  arrows: [
    { from: ['issued', 'right'], to: ['attempt', 'left'], label: 'payer chooses' },
    { from: ['attempt', 'right'], to: ['paid', 'left'], label: 'success' },
    {
      from: ['attempt', 'top'],
      through: [
        [375, 62],
        [95, 62],
      ],
      to: ['issued', 'top'],
      label: 'failed: another may follow',
    },
    { from: ['paid', 'right'], through: [[767, 135]], to: ['completed', 'top'], label: 'settles', labelAt: [767, 184] },
    { from: ['issued', 'bottom', -20], to: ['expired', 'top', -20], label: 'expires' },
    {
      from: ['issued', 'bottom', 45],
      through: [
        [140, 196],
        [275, 196],
      ],
      to: ['cancelled', 'top'],
      label: 'cancel',
      labelAt: [208, 196],
    },
    {
      from: ['attempt', 'bottom', 60],
      through: [
        [435, 196],
        [490, 196],
      ],
      to: ['suspense', 'top'],
      dashed: true,
      label: 'does not fit',
      labelAt: [462, 186],
    },
  ],
  notes: [
    {
      at: [430, 34],
      text: 'A cancel or an expiry waits until the rail has closed what its payer had begun.',
      anchor: 'middle',
    },
  ],
}

const ATTEMPT: Picture = {
  name: 'attempt-life',
  title: 'How far the money of a transfer has got',
  description:
    'An attempt is queued, submitted, accepted by the rail and delivered. A definite refusal is failed. ' +
    'A timeout, a reset, a server error or a lost worker is unknown: the rail is asked again until it knows, and nothing else moves the money.',
  size: [860, 312],
  boxes: {
    queued: status([20, 56], 'plain', 'queued', 'undo window'),
    submitting: status([236, 56], 'ours', 'submitting', 'the call is made'),
    accepted: status([452, 56], 'ours', 'accepted', 'the rail has it'),
    delivered: status([690, 56], 'money', 'delivered', 'it has arrived'),
    unknown: {
      at: [226, 204],
      size: [170, 70],
      tone: 'doubt',
      lines: ['unknown', 'timeout, reset, 5xx,', 'lost worker'],
    },
    failed: status([452, 208], 'end', 'failed', 'a definite no'),
  },
  arrows: [
    { from: ['queued', 'right'], to: ['submitting', 'left'] },
    { from: ['submitting', 'right'], to: ['accepted', 'left'] },
    { from: ['accepted', 'right'], to: ['delivered', 'left'] },
    { from: ['submitting', 'bottom'], to: ['unknown', 'top'], label: 'no answer' },
    {
      from: ['unknown', 'top', 60],
      through: [
        [371, 166],
        [486, 166],
      ],
      to: ['accepted', 'bottom', -41],
      label: 'asked again',
      labelAt: [428, 166],
    },
    { from: ['unknown', 'right'], to: ['failed', 'left'] },
    { from: ['accepted', 'bottom', 33], to: ['failed', 'top', 33], label: 'refused later' },
    {
      from: ['submitting', 'top'],
      through: [
        [311, 26],
        [765, 26],
      ],
      to: ['delivered', 'top'],
      label: 'some rails answer at once',
    },
    {
      from: ['unknown', 'bottom'],
      through: [
        [311, 292],
        [765, 292],
      ],
      to: ['delivered', 'bottom'],
      label: 'the rail says that it did it',
      labelAt: [640, 292],
    },
  ],
  notes: [
    { at: [20, 220], text: 'No clock ends unknown:' },
    { at: [20, 238], text: 'the rail’s own answer does,' },
    { at: [20, 256], text: 'or an operator with evidence.' },
  ],
}

export const LIFE_PICTURES: readonly Picture[] = [TRANSFER, PAYMENT, ATTEMPT]
