// What an operator does by hand on the database, beside a running gateway or without one: resolves, compares statements,
// unfreezes channels, changes settings of failures. Connectors are built only where a provider is called.
import type { Transfer } from '../../domain/transfer/transfer.ts'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ContractResult, EventResult, Execute } from '../../engine/command-request.ts'
import { readChannelBook } from '../../app/operator/channel-book.ts'
import { ON_ONE_SERVER } from '../../engine/batch.ts'
import { openContractReads } from '../../engine/reads.ts'
import { passOn } from '../../engine/crash-points.ts'
import { executeAlone } from '../../engine/execute.ts'
import {
  acknowledgeFreeze,
  type Deed,
  freezeByHand,
  resolveTransfer,
  settleAccount,
} from '../../app/operator/operator-actions.ts'
import { type Correction, takeUnallocated } from '../../app/payments/unallocated-events.ts'
import { reconcile, type Reconciliation } from '../../app/operator/reconcile.ts'
import type { ChannelBook, ChannelFacts } from '../../domain/channel/channel.ts'
import { laneOf } from '../../domain/contract/ids.ts'
import type { Refusal } from '../../domain/contract/refusals.ts'
import type { Session } from '../../platform/db.ts'
import { openLog } from '../../platform/log.ts'
import { frozenChannels } from '../../store/operator/channels.ts'
import type { AccountPatch, OwnAccount } from '../../domain/account/settings.ts'
import { listOpenEvents, type OpenEvent, openEventFrom } from '../../store/payments/payment-events.ts'
import type { Epoch } from '../../domain/recovery/epoch.ts'
import { pause, payoutState, resumePaused } from '../../app/operator/payout-pauses.ts'
import { type DatabaseSize, databaseSize } from '../../app/operator/size.ts'
import type { PayoutState } from '../../domain/channel/payout-pauses.ts'
import { compareAll, type CompareDeps } from '../../app/operator/compare.ts'
import { type RecoveryReport, reportOf } from '../../app/operator/recovery-report.ts'
import { declareRecovery, epochOf, resume } from '../../app/operator/resume.ts'
import type { Connector } from '../../connectors/connector.ts'
import type { Config } from '../config/config.ts'
import type { DevFile } from '../development.ts'
import { offeredChannels, playerOf } from '../channels/offered-channels.ts'

export type Freeze = { readonly channelId: string; readonly reason: string; readonly since: string }
export type ListedChannel = {
  readonly facts: ChannelFacts
  readonly freeze: Freeze | null
  /** Who moves its money, as text. */
  readonly movedBy: string
}

export type OperatorActions = {
  /** Records how a transfer ended whose outcome is open. */
  readonly resolve: (
    contractId: string,
    as: 'delivered' | 'failed',
    deed: Deed,
  ) => Promise<ContractResult<Transfer> | Refusal>
  /** The configured channels as the gateway last stored them. */
  readonly channels: () => Promise<ListedChannel[]>
  /** The channels that are frozen, configured or not. */
  readonly freezes: () => Promise<Freeze[]>
  /** Stops a channel's payouts, with the deed's evidence as the reason; null when that is done. */
  readonly freeze: (channelId: string, deed: Deed) => Promise<Refusal | null>
  /** Lets a channel pay out again; null when that is done. */
  readonly acknowledge: (channelId: string, deed: Deed) => Promise<Refusal | null>
  /** What the database takes and will take; `perSecond` null for the rate of the last days. */
  readonly size: (perSecond: number | null) => Promise<DatabaseSize>
  /** Which payouts are paused, and what waits. */
  readonly payouts: () => Promise<PayoutState>
  /** Sends nothing new by the channel, or (null) by any. */
  readonly pausePayouts: (channelId: string | null, deed: Deed) => Promise<PayoutState | Refusal>
  /** Takes back the pause of the channel, or (null) that of all. */
  readonly resumePayouts: (channelId: string | null, deed: Deed) => Promise<PayoutState | Refusal>
  /** The newest epoch of the books: whether they are in recovery. */
  readonly epoch: () => Promise<Epoch>
  /** Says that the database is older than what was done with it. */
  readonly declareRecovery: (deed: Deed) => Promise<Epoch | Refusal>
  /** What was found when the channels were compared last, in this epoch. */
  readonly recoveryReport: () => Promise<RecoveryReport>
  /** Compares every channel with what its provider did since the books knew last, or since then; adopts what is forgotten. */
  readonly compareRecovery: (sinceMs: number | null, operator: string) => Promise<RecoveryReport | Refusal>
  /** The first operator's word that the books fit the rails, or the second's, which ends the recovery. */
  readonly resume: (deed: Deed, without: readonly string[]) => Promise<Epoch | Refusal>
  /** Compares the provider's statement of a day (YYYY-MM-DD in the Philippines) with the books. */
  readonly reconcile: (channelId: string, day: string) => Promise<Reconciliation | Refusal>
  /** Payment events that are unallocated or need review; newest first. */
  readonly openEvents: (accountId: string, limit: number) => Promise<OpenEvent[]>
  /** Takes one of them in again, as it came or with corrections. */
  readonly takeEvent: (
    accountId: string,
    eventId: string,
    correction: Correction,
    deed: Deed,
  ) => Promise<EventResult | Refusal>
  /** Changes what is named; the settings afterwards, or null where there is no such account. */
  readonly settle: (accountId: string, changes: AccountPatch, operator: string) => Promise<OwnAccount | null | Refusal>
}

const IDS = { nowMs: Date.now, randomHex: () => randomBytes(10).toString('hex') }

export function openOperatorActions(config: Config, reader: Session, writer: Session): OperatorActions {
  const offered = () => offeredChannels(config, config.mode === 'production' ? 'no sandbox' : 'sandbox')
  const book = () =>
    readChannelBook(
      reader,
      offered().map((each) => each.config),
    )
  const freezes = async () => {
    const [result] = await reader.send([frozenChannels()])
    return (result?.rows ?? []).map(
      (row): Freeze => ({
        channelId: row['channel_id'] as string,
        reason: row['reason'] as string,
        since: new Date(row['since'] as number).toISOString(),
      }),
    )
  }
  const deps = async () => ({ reader, writer, channels: await book(), ids: IDS })
  return {
    resolve: async (contractId, as, deed) => resolveTransfer(await deps(), contractId, as, deed),
    channels: async () => {
      const frozen = await freezes()
      const freezeOf = (id: string) => frozen.find((freeze) => freeze.channelId === id) ?? null
      const movers = new Map(offered().map((each) => [each.config.id, playerOf(config, each.config)]))
      const shown = (await book()).all()
      return shown.map((facts) => ({ facts, freeze: freezeOf(facts.id), movedBy: movers.get(facts.id) ?? 'nobody' }))
    },
    freezes,
    freeze: async (channelId, deed) => freezeByHand(await deps(), channelId, deed),
    acknowledge: async (channelId, deed) => acknowledgeFreeze(await deps(), channelId, deed),
    size: (perSecond) => databaseSize(reader, perSecond, config.removal),
    payouts: async () => payoutState(await deps()),
    pausePayouts: async (channelId, deed) => pause(await deps(), channelId, deed),
    resumePayouts: async (channelId, deed) => resumePaused(await deps(), channelId, deed),
    epoch: () => epochOf({ reader }),
    declareRecovery: (deed) => declareRecovery({ reader, ids: IDS }, deed),
    recoveryReport: async () => reportOf({ reader }, (await epochOf({ reader })).number),
    compareRecovery: async (sinceMs, operator) => {
      const given = await deps()
      const withConnector = connectorsOf(config, reader, writer, given.channels)
      return compareAll({ ...given, withConnector }, sinceMs, { operator, evidence: '' })
    },
    resume: async (deed, without) => resume(await deps(), deed, without),
    reconcile: async (channelId, day) => reconcileBeside(config, reader, writer, await book(), channelId, day),
    openEvents: async (accountId, limit) => {
      const [result] = await reader.send([listOpenEvents({ lane: laneOf(accountId), accountId }, limit)])
      return (result?.rows ?? []).map(openEventFrom)
    },
    takeEvent: async (accountId, eventId, correction, deed) =>
      takeUnallocated(await deps(), { lane: laneOf(accountId), accountId }, eventId, correction, deed),
    settle: async (accountId, changes, operator) =>
      settleAccount(
        { ...(await deps()), currencies: new Set(config.currencies) },
        { lane: laneOf(accountId), accountId },
        changes,
        operator,
      ),
  }
}

/** Compares a channel's day by connectors of its own, which take longer statements than those at work. */
export function reconcileBeside(
  config: Config,
  reader: Session,
  writer: Session,
  channels: ChannelBook,
  channelId: string,
  day: string,
  sandboxUrl?: string,
): Promise<Reconciliation | Refusal> {
  const execute: Execute = (request) => executeAlone(writer, channels, request)
  return withConnectors(config, reader, writer, channels, channelId, sandboxUrl, (connectors) =>
    reconcile({ execute, connectors, channels, reader, ids: IDS }, channelId, day),
  )
}

/** Opens the connector of one channel for a while. */
export function connectorsOf(
  config: Config,
  reader: Session,
  writer: Session,
  channels: ChannelBook,
  sandboxUrl?: string,
): CompareDeps['withConnector'] {
  return (channelId, work) =>
    withConnectors(config, reader, writer, channels, channelId, sandboxUrl, (connectors) => {
      const connector = connectors.get(channelId)
      if (!connector) throw new Error('the channel has no connector')
      return work(connector)
    })
}

const STATEMENT_BYTES_MAX = 64 << 20

async function withConnectors<T>(
  config: Config,
  reader: Session,
  writer: Session,
  channels: ChannelBook,
  channelId: string,
  sandboxUrl: string | undefined,
  work: (connectors: ReadonlyMap<string, Connector>) => Promise<T>,
): Promise<T> {
  // Loaded where a provider is called: most of the load time that every operator command would otherwise wait for.
  const [{ buildConnectors }, { openOutbound }] = await Promise.all([
    import('../channels/connectors.ts'),
    import('../../platform/outbound.ts'),
  ])
  // A day of a busy rail is a long statement.
  const outbound = openOutbound({ replyBytesMax: STATEMENT_BYTES_MAX })
  const execute: Execute = (request) => executeAlone(writer, channels, request)
  try {
    const connectors = await buildConnectors({
      // Only the channel that is named: what others lack is not its fault.
      config: { ...config, channels: config.channels.filter((channel) => channel.id === channelId) },
      provider: { url: sandboxUrl ?? sandboxUrlOf(config) },
      outbound,
      credits: { execute, reader, findContract: openContractReads(() => reader, 1, ON_ONE_SERVER).submit },
      session: reader,
      log: openLog(config.logLevel),
      crashPoint: passOn,
    })
    return await work(connectors)
  } finally {
    await outbound.close()
  }
}

/** The sandbox provider of the configuration, or the one that the gateway of this data directory runs. */
function sandboxUrlOf({ sandboxUrl, dataDir }: Config): string {
  if (sandboxUrl !== null) return sandboxUrl
  try {
    return (JSON.parse(readFileSync(join(dataDir, 'dev.json'), 'utf8')) as DevFile).sandbox_url
  } catch {
    // No gateway has run here: its provider cannot be called, and the operator gets that as the refusal.
    return ''
  }
}
