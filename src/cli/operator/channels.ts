// gateway channels: the routes of money as the operator sees them, on the database itself: which there are, which stand
// still and why, and letting them go on.
import { EXAMPLES } from '../../connectors/catalogue.ts'
import type { Freeze, ListedChannel } from '../../main/operator/operator-actions.ts'
import { argument, command, groupOf, option, required } from '../command.ts'
import { modeText, paint, print } from '../output.ts'
import { printMany, type Shows } from '../view.ts'
import { asOperator, DEED, deedOf, OPERATOR, operatorName } from './as-operator.ts'

const CHANNELS: Shows<ListedChannel> = [
  ['channel', ({ facts }) => facts.id],
  ['mode', ({ facts: { mode } }) => (mode === 'both' ? 'TEST, live' : modeText(mode === 'live'))],
  ['moved by', 'movedBy'],
  ['name', ({ facts }) => facts.name],
  ['pays out', ({ facts }) => [...facts.terms.keys()].join(',') || '-'],
  ['brings in', ({ facts }) => [...(facts.collect?.terms.keys() ?? [])].join(',') || '-'],
  ['version', ({ facts }) => facts.version],
  ['state', ({ freeze }) => (freeze ? paint('red', `frozen since ${freeze.since}: pays nothing out`) : 'at work')],
]

const FREEZES: Shows<Freeze> = [
  ['channel', 'channelId'],
  ['since', 'since'],
  ['reason', 'reason'],
]

const list = command('list', 'list channels, what they pay out and bring in, and which stand still', {
  examples: ['gateway channels list'],
  run: () => asOperator((operator) => operator.channels()),
  json: (channels) => ({ channels: channels.map(channelJson) }),
  print: (channels) => printMany(channels, CHANNELS),
})

function channelJson({ facts, freeze, movedBy }: ListedChannel) {
  const { id, service, name, version, terms, collect, mode } = facts
  return {
    id,
    livemode: mode === 'both' ? null : mode === 'live',
    moved_by: movedBy,
    service,
    name,
    version,
    currencies: [...terms.keys()],
    collects: [...(collect?.terms.keys() ?? [])],
    freeze: freeze && freezeJson(freeze),
  }
}

const freezes = command('freezes', 'list channels that pay nothing out until somebody has looked', {
  examples: ['gateway channels freezes'],
  run: () => asOperator((operator) => operator.freezes()),
  json: (found) => ({ freezes: found.map(freezeJson) }),
  print: (found) => printMany(found, FREEZES),
})

const freezeJson = ({ channelId, since, reason }: Freeze) => ({ channel: channelId, since, reason })

const acknowledge = command('acknowledge', 'let a frozen channel pay out again; kept with who did it and why', {
  examples: [`gateway channels acknowledge ${EXAMPLES.bank} --evidence "the bank reversed the line, ticket 4711"`],
  arguments: [argument('<channel>', 'as "channels freezes" shows it')],
  options: DEED,
  run: async (options, channel) => {
    const deed = deedOf(options)
    await asOperator((operator) => operator.acknowledge(channel, deed))
    return { channel, acknowledged: true, ...deed }
  },
  print: ({ channel }) => print(`The channel ${channel} pays out again.`),
})

const freeze = command('freeze', 'stop the payouts of a channel by hand; kept with who did it and why', {
  examples: [`gateway channels freeze ${EXAMPLES.bank} --reason "the bank says that it pays twice"`],
  arguments: [argument('<channel>', 'as "channels list" shows it')],
  options: { reason: required(option('<text>', 'why, for whoever lets it go on')), ...OPERATOR },
  run: async ({ reason, operator: name }, channel) => {
    const deed = { operator: operatorName(name), evidence: reason }
    await asOperator((operator) => operator.freeze(channel, deed))
    return { channel, frozen: true, operator: deed.operator, reason }
  },
  print: ({ channel }) =>
    print(`The channel ${channel} pays nothing out until: gateway channels acknowledge ${channel} --evidence …`),
})

export const channels = groupOf('channels', 'list channels, stop them, and let frozen ones go on', [
  list,
  freezes,
  freeze,
  acknowledge,
])
