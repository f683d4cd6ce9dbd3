// gateway channels: the routes of money as the operator sees them, on the database itself: which there are, which stand
// still and why, and letting them go on.
import type { Command } from 'commander'
import type { ChannelMode } from '../../domain/channel/channel.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import type { Freeze } from '../../main/operator/operator-actions.ts'
import { commandWithJson, groupOf, type WithJson } from '../arguments.ts'
import { asOperator } from './as-operator.ts'
import { modeText, paint, print, printJson, printTable } from '../output.ts'
import { failedBy, operatorName, withDeed } from '../contracts/transfer-actions.ts'

export function channelsCommand(): Command {
  const list = commandWithJson('list', 'list channels, what they pay out and bring in, and which stand still', [
    'gateway channels list',
  ]).action(listChannels)
  const freezes = commandWithJson('freezes', 'list channels that pay nothing out until somebody has looked', [
    'gateway channels freezes',
  ]).action(listFreezes)
  const acknowledge = withDeed(
    commandWithJson('acknowledge', 'let a frozen channel pay out again; kept with who did it and why', [
      'gateway channels acknowledge instapay --evidence "the bank reversed the line, ticket 4711"',
    ]),
  )
    .argument('<channel>', 'as "channels freezes" shows it')
    .action(acknowledgeChannel)
  return groupOf('channels', 'list channels, and let frozen ones go on', [list, freezes, acknowledge])
}

async function listChannels({ json }: WithJson): Promise<void> {
  const channels = await asOperator((operator) => operator.channels())
  if (json) {
    const shown = channels.map(({ facts, freeze, movedBy }) => {
      const { id, service, name, version, terms, collect, mode } = facts
      const collects = [...(collect?.terms.keys() ?? [])]
      return {
        id,
        livemode: mode === 'both' ? null : mode === 'live',
        moved_by: movedBy,
        service,
        name,
        version,
        currencies: [...terms.keys()],
        collects,
        freeze: freeze && freezeJson(freeze),
      }
    })
    return printJson({ channels: shown })
  }
  const rows = channels.map(({ facts, freeze, movedBy }) => [
    facts.id,
    channelMode(facts.mode),
    movedBy,
    facts.name,
    [...facts.terms.keys()].join(',') || '-',
    [...(facts.collect?.terms.keys() ?? [])].join(',') || '-',
    facts.version,
    freeze ? paint('red', `frozen since ${freeze.since}: pays nothing out`) : 'at work',
  ])
  printTable(['CHANNEL', 'MODE', 'MOVED BY', 'NAME', 'PAYS OUT', 'BRINGS IN', 'VERSION', 'STATE'], rows)
}

const channelMode = (mode: ChannelMode) => (mode === 'both' ? 'TEST, live' : modeText(mode === 'live'))

async function listFreezes({ json }: WithJson): Promise<void> {
  const freezes = await asOperator((operator) => operator.freezes())
  if (json) return printJson({ freezes: freezes.map(freezeJson) })
  printTable(
    ['CHANNEL', 'SINCE', 'REASON'],
    freezes.map(({ channelId, since, reason }) => [channelId, since, reason]),
  )
}

const freezeJson = ({ channelId, since, reason }: Freeze) => ({ channel: channelId, since, reason })

type Deed = WithJson & { readonly evidence: string; readonly operator?: string }

async function acknowledgeChannel(channelId: string, { json, evidence, operator: name }: Deed): Promise<void> {
  const deed = { evidence, operator: operatorName(name) }
  const refusal = await asOperator((operator) => operator.acknowledge(channelId, deed))
  if (isRefusal(refusal)) throw failedBy(refusal)
  if (json) printJson({ channel: channelId, acknowledged: true, ...deed })
  else print(`The channel ${channelId} pays out again.`)
}
