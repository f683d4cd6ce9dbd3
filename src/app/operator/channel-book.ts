// Channels from configuration, with every version that contracts may still name, and the mode that each has for as long as
// the database lives. A changed channel becomes a new version; a channel of another mode becomes another channel.
import { type ChannelConfig, channelFacts } from '../../domain/channel/config.ts'
import { livemodesOf } from '../../domain/channel/modes.ts'
import type { ChannelArchive, ChannelFacts, ChannelMode } from '../../domain/channel/channel.ts'
import { type Session, sqlStateOf } from '../../platform/db.ts'
import {
  countChannelVersions,
  insertChannelMode,
  insertChannelVersion,
  listChannelModes,
  listChannelVersions,
  type StoredChannelVersion,
} from '../../store/operator/channels.ts'

/** A channel as it is configured, with the mode of what moves its money. */
export type OfferedChannel = { readonly config: ChannelConfig; readonly mode: ChannelMode }

/**
 * Binds each channel to its mode, once for the database. What is wrong, a sentence for each channel that it knows with the
 * other mode: its contracts, attempts and statements are of that one.
 */
export async function bindChannelModes(session: Session, offered: readonly OfferedChannel[]): Promise<string[]> {
  const known = await readModes(session)
  for (const { config, mode } of offered)
    for (const livemode of known.has(config.id) ? [] : livemodesOf(mode))
      await session.send([insertChannelMode(config.id, livemode, mode === 'both')]).catch(boundBeside)
  // Read again: of two gateways that start together with different modes one gets the fault.
  const bound = await readModes(session)
  return offered.flatMap(({ config: { id, connector }, mode }) => {
    const is = bound.get(id)
    if (is === mode) return []
    const fix = `Give ${mode === 'live' ? 'production' : 'trials'} a database of its own, or the channel another id with "connector": "${connector ?? id}"`
    return [
      `channel ${id}: it moves ${wordOf(mode)} now, and in this database it has moved ${wordOf(is)} so far. ${fix}`,
    ]
  })
}

/** Another gateway that starts at this moment has bound it; what to is read afterwards. */
function boundBeside(fault: unknown): void {
  if (sqlStateOf(fault) !== '23505') throw fault
}

const wordOf = (mode: ChannelMode | undefined) =>
  mode === 'both' ? 'money of either mode' : mode === 'live' ? 'live money' : 'TEST money'

/** Adds the versions that the configuration changed, and keeps the book in memory. */
export async function openChannelBook(session: Session, offered: readonly OfferedChannel[]): Promise<ChannelArchive> {
  const stored = await readVersions(session)
  for (const { config, mode } of offered) {
    channelFacts(config, 1, mode)
    const newest = stored.filter((each) => each.channelId === config.id).at(-1)
    // Two processes that start together write the same next version; the second finds it there.
    if (newest?.facts !== JSON.stringify(config))
      await session.send([insertChannelVersion(config.id, (newest?.version ?? 0) + 1, JSON.stringify(config))])
  }
  return readChannelBook(
    session,
    offered.map(({ config }) => config),
  )
}

/**
 * The book as it is stored, of these channels: what is offered stays as it is read here, for it is this process's own configuration.
 * Versions that other processes add are read when they are asked for.
 */
export async function readChannelBook(session: Session, configs: readonly ChannelConfig[]): Promise<ChannelArchive> {
  let known = await readKnown(session)
  const offered = configs.flatMap((config) => newestOf(known, config.id))
  const byId = new Map(offered.map((facts) => [facts.id, facts]))
  const readAgain = async () => {
    const read = await readKnown(session)
    // Of two reads at once the one that was sent first may end last.
    if (read.stored.length > known.stored.length) known = read
  }
  return {
    current: (id) => byId.get(id),
    at: (id, version) => known.facts.get(`${id}/${version}`),
    all: () => offered,
    versions: (id) =>
      known.stored.filter(({ channelId }) => channelId === id).map(({ version, sinceMs }) => ({ version, sinceMs })),
    readAgain,
    look: async () => {
      const [counted] = await session.send([countChannelVersions()])
      if ((counted?.rows[0]?.['versions'] as number) > known.stored.length) await readAgain()
    },
  }
}

/** All versions that there are, and what each says. */
type Known = { readonly stored: readonly StoredChannelVersion[]; readonly facts: ReadonlyMap<string, ChannelFacts> }

async function readKnown(session: Session): Promise<Known> {
  const [stored, modes] = [await readVersions(session), await readModes(session)]
  const facts = new Map<string, ChannelFacts>()
  for (const each of stored) {
    const config = JSON.parse(each.facts) as ChannelConfig
    // One without a mode is from before there were any, and has not been offered since: it prices old contracts alone.
    const mode = modes.get(each.channelId) ?? 'test'
    facts.set(`${each.channelId}/${each.version}`, channelFacts(config, each.version, mode))
  }
  return { stored, facts }
}

function newestOf({ stored, facts }: Known, id: string): ChannelFacts[] {
  const version = stored.filter((each) => each.channelId === id).at(-1)?.version
  const newest = facts.get(`${id}/${version}`)
  return newest ? [newest] : []
}

async function readVersions(session: Session): Promise<StoredChannelVersion[]> {
  const [result] = await session.send([listChannelVersions()])
  return (result?.rows ?? []) as StoredChannelVersion[]
}

async function readModes(session: Session): Promise<ReadonlyMap<string, ChannelMode>> {
  const [result] = await session.send([listChannelModes()])
  return new Map((result?.rows ?? []).map((row) => [row['channel_id'] as string, row['mode'] as ChannelMode]))
}
