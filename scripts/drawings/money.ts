// Pictures of money: how it moves through the balances of a wallet, and how test money is kept from live money.
import type { Box, Picture, Point, Tone } from './picture.ts'

const balance = (at: Point, name: string, line: string): Box => ({
  at,
  size: [150, 60],
  tone: 'money',
  lines: [name, line],
})
const book = (at: Point, tone: Tone, name: string, line: string): Box => ({
  at,
  size: [150, 60],
  tone,
  lines: [name, line],
})

const WAY: Picture = {
  name: 'money-way',
  title: 'The way of money through a wallet',
  description:
    'A wallet has five balances. Out: pay moves money from available to held, the rail’s acceptance moves it to in transit, ' +
    'delivery moves it to the clearing account of the channel and the fee to revenue; a refund moves it back to available. ' +
    'In: a payment moves money from clearing to pending and settlement moves it to available. Money that fits no contract waits in suspense.',
  size: [880, 372],
  areas: [{ at: [190, 30], size: [420, 322], title: 'ONE WALLET, FIVE BALANCES', tone: 'ours' }],
  boxes: {
    available: balance([216, 158], 'available', 'can be spent'),
    held: balance([430, 70], 'held', 'for a paid contract'),
    transit: balance([430, 158], 'in transit', 'the rail has it'),
    pending: balance([216, 254], 'pending', 'paid, not settled'),
    suspense: balance([430, 254], 'suspense', 'fits no contract'),
    clearing: book([712, 158], 'outside', 'clearing', 'of the channel'),
    revenue: book([712, 70], 'outside', 'fee revenue', 'yours'),
    incoming: book([10, 254], 'outside', 'clearing', 'of the channel'),
  },
  arrows: [
    { from: ['available', 'top'], through: [[291, 100]], to: ['held', 'left'], label: 'pay', labelAt: [330, 100] },
    { from: ['held', 'bottom'], to: ['transit', 'top'], label: 'accepted', labelAt: [520, 144] },
    { from: ['transit', 'right'], to: ['clearing', 'left'], label: 'delivered', labelAt: [664, 188] },
    {
      from: ['transit', 'right', -18],
      through: [
        [640, 170],
        [640, 100],
      ],
      to: ['revenue', 'left'],
      label: 'fee',
      labelAt: [640, 132],
    },
    {
      from: ['held', 'left', 18],
      through: [[350, 118]],
      to: ['available', 'top', 59],
      label: 'refund',
      labelAt: [388, 126],
      dashed: true,
    },
    { from: ['pending', 'top'], to: ['available', 'bottom'], label: 'settles', labelAt: [291, 236] },
    { from: ['incoming', 'right'], to: ['pending', 'left'], label: 'paid' },
    {
      from: ['incoming', 'bottom'],
      through: [
        [85, 338],
        [505, 338],
      ],
      to: ['suspense', 'bottom'],
      dashed: true,
      label: 'late, partial, too much',
      labelAt: [316, 338],
    },
  ],
}

const MODES: Picture = {
  name: 'modes',
  title: 'Test and live money never meet',
  description:
    'On the test side are test accounts, keys that begin with gck_test, and channels that the sandbox provider plays. ' +
    'On the live side are live accounts, keys that begin with gck_live, and rails with a real address. Crossing is refused with channel_not_in_mode.',
  size: [800, 250],
  areas: [
    { at: [20, 20], size: [340, 210], title: 'TEST', tone: 'doubt' },
    { at: [440, 20], size: [340, 210], title: 'LIVE', tone: 'money' },
  ],
  boxes: {
    testKey: { at: [44, 56], size: [292, 44], tone: 'plain', lines: ['test account, key gck_test_…'] },
    testRail: {
      at: [44, 132],
      size: [292, 76],
      tone: 'plain',
      lines: ['rails that move nothing real', 'played by the sandbox provider,', 'or the rail’s own test environment'],
    },
    liveKey: { at: [464, 56], size: [292, 44], tone: 'plain', lines: ['live account, key gck_live_…'] },
    liveRail: {
      at: [464, 132],
      size: [292, 76],
      tone: 'plain',
      lines: ['rails with a real address', 'bank, e-wallet, acquirer, chain'],
    },
  },
  arrows: [
    { from: ['testKey', 'bottom'], to: ['testRail', 'top'] },
    { from: ['liveKey', 'bottom'], to: ['liveRail', 'top'] },
  ],
  notes: [
    { at: [400, 122], text: 'channel_', anchor: 'middle' },
    { at: [400, 139], text: 'not_in_', anchor: 'middle' },
    { at: [400, 156], text: 'mode', anchor: 'middle' },
  ],
}

export const MONEY_PICTURES: readonly Picture[] = [WAY, MODES]
