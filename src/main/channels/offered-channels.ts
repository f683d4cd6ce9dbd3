// Which of the configured channels this gateway offers, and whose contracts each takes: a channel is of the mode of what
// moves its money.
import type { OfferedChannel } from '../../app/operator/channel-book.ts'
import type { ChannelConfig } from '../../domain/channel/config.ts'
import type { ChannelMode } from '../../domain/channel/channel.ts'
import { type Config, Misconfigured } from '../config/config.ts'
import { PLAYED_RAILS, RAIL_NAMES, type RailName } from '../config/rails.ts'
import { RAIL_CONNECTORS } from './rail-connectors.ts'

type Rails = Pick<Config, 'rails' | 'crypto'>

const CONNECTORS = ['sandbox', 'wallet', ...RAIL_NAMES, 'crypto'] as const
export type ConnectorKind = (typeof CONNECTORS)[number]

export const isRail = (kind: ConnectorKind): kind is RailName => RAIL_NAMES.some((name) => name === kind)

/** What moves a channel's money. Throws {@link Misconfigured} for a name that there is not. */
export function connectorKind({ id, connector }: Pick<ChannelConfig, 'id' | 'connector'>): ConnectorKind {
  const name = connector ?? id
  const kind = CONNECTORS.find((each) => each === name)
  if (kind) return kind
  throw new Misconfigured(`channel ${id}: no connector is named ${name}. There are: ${CONNECTORS.join(', ')}`)
}

function modeOf({ rails, crypto }: Rails, kind: ConnectorKind): ChannelMode {
  if (kind === 'wallet') return 'both'
  if (kind === 'crypto') return crypto.mode
  return isRail(kind) ? rails[kind].mode : 'test'
}

/** Who moves a channel's money, as text: a host, or which of ours. Never the whole URL, which may hold a secret. */
export function playerOf({ rails, crypto }: Rails, channel: ChannelConfig): string {
  const kind = connectorKind(channel)
  if (kind === 'wallet') return 'this gateway'
  if (kind === 'crypto')
    return crypto.rpcUrl === null ? 'nobody' : `${channel.asset?.network} at ${hostOf(crypto.rpcUrl)}`
  const url = isRail(kind) ? rails[kind].url : null
  if (url !== null) return hostOf(url)
  return isRail(kind) && !PLAYED_RAILS.includes(kind) ? 'nobody' : 'the sandbox provider'
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : 'no address')

/**
 * The channels that something moves money for: without a sandbox provider none that it would play. Throws
 * {@link Misconfigured} for each whose operator takes it for live or test, and what moves its money is not, or says that it can what its
 * connector cannot.
 */
export function offeredChannels(config: Rails & Pick<Config, 'channels'>, sandbox: 'sandbox' | 'no sandbox') {
  const faults: string[] = []
  const offered: OfferedChannel[] = []
  for (const channel of config.channels) {
    const kind = connectorKind(channel)
    const mode = modeOf(config, kind)
    if (channel.mode !== undefined && channel.mode !== mode) faults.push(modeFault(config, channel, kind, mode))
    faults.push(...beyondDeclared(channel, kind))
    if (isRail(kind) && config.rails[kind].url === null && !PLAYED_RAILS.includes(kind)) continue
    if (!isPlayed(config, kind) || sandbox === 'sandbox') offered.push({ config: withDeclared(channel, kind), mode })
  }
  if (faults.length > 0) throw new Misconfigured(faults.join('\n'))
  return offered
}

/** Whether the money of a connector is moved by the sandbox provider, and by nobody else. */
export function isPlayed({ rails }: Pick<Config, 'rails'>, kind: ConnectorKind): boolean {
  return kind === 'sandbox' || (isRail(kind) && rails[kind].url === null && PLAYED_RAILS.includes(kind))
}

const declaredBy = (kind: ConnectorKind) => (isRail(kind) ? RAIL_CONNECTORS[kind].collects : null)

/** What an operator can leave out, and cannot add: a connector that does not refund would send money to whoever an order names. */
function beyondDeclared({ id, collect }: ChannelConfig, kind: ConnectorKind): string[] {
  const declared = declaredBy(kind)
  return (['refunds', 'hosted'] as const)
    .filter((power) => collect?.[power] === true && declared?.[power] !== true)
    .map((power) => `channel ${id}: "collect.${power}" is true, but connector ${kind} cannot do that. Leave it out`)
}

/** The channel with what its connector declares, where the operator configures nothing else. */
function withDeclared(channel: ChannelConfig, kind: ConnectorKind): ChannelConfig {
  const { collect } = channel
  const declared = declaredBy(kind)
  if (!collect || !declared) return channel
  const { refunds, hosted } = declared
  return { ...channel, collect: { ...(refunds && { refunds }), ...(hosted && { hosted }), ...collect } }
}

function modeFault(config: Rails, channel: ChannelConfig, kind: ConnectorKind, mode: ChannelMode): string {
  const said = `channel ${channel.id}: "mode" is ${channel.mode}, but`
  if (mode === 'both') return `${said} it moves money between wallets of either mode. Leave "mode" out`
  const name = `GATEWAY_${kind.toUpperCase()}`
  const player = playerOf(config, channel)
  if (mode === 'test' && kind === 'sandbox') return `${said} the sandbox moves no money. Leave "mode" out`
  if (mode === 'live')
    return `${said} ${player} moves real money. Where that is a test environment, set ${name}_MODE=test`
  const fix = `Give the rail its real address (${name}_${kind === 'crypto' ? 'RPC_URL' : 'URL'}), or leave "mode" out`
  return `${said} ${player} moves none. ${fix}`
}

/** Whether a provider for trials plays what has no address of its own. */
export function sandboxOf(provider: unknown): 'sandbox' | 'no sandbox' {
  return provider === null ? 'no sandbox' : 'sandbox'
}
