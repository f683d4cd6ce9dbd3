// Channels from configuration, with every version that contracts may still name. A changed channel becomes a new version.
import { type ChannelConfig, channelFacts } from '../domain/channel-config.ts'
import type { ChannelArchive, ChannelFacts } from '../domain/channels.ts'
import type { Session } from '../platform/db.ts'
import { insertChannelVersion, listChannelVersions, type StoredChannelVersion } from '../store/channels.ts'

/** Reads all versions, adds those that the configuration changed, and keeps the book in memory. */
export async function openChannelBook(session: Session, configs: readonly ChannelConfig[]): Promise<ChannelArchive> {
  const stored = await readVersions(session)
  for (const config of configs) {
    channelFacts(config, 1)
    const newest = stored.filter((each) => each.channelId === config.id).at(-1)
    // Two processes that start together write the same next version; the second finds it there.
    if (newest?.facts !== JSON.stringify(config))
      await session.send([insertChannelVersion(config.id, (newest?.version ?? 0) + 1, JSON.stringify(config))])
  }
  return readChannelBook(session, configs)
}

/** The book as it is stored, of the configured channels: for whoever decides beside a gateway and changes no channel. */
export async function readChannelBook(session: Session, configs: readonly ChannelConfig[]): Promise<ChannelArchive> {
  const stored = await readVersions(session)
  const versions = new Map<string, ChannelFacts>()
  for (const each of stored) {
    const facts = channelFacts(JSON.parse(each.facts) as ChannelConfig, each.version)
    versions.set(`${each.channelId}/${each.version}`, facts)
  }
  const offered = configs.flatMap((config) => newestOf(stored, config.id, versions))
  const byId = new Map(offered.map((facts) => [facts.id, facts]))
  return {
    current: (id) => byId.get(id),
    at: (id, version) => versions.get(`${id}/${version}`),
    all: () => offered,
    versions: (id) =>
      stored.filter(({ channelId }) => channelId === id).map(({ version, sinceMs }) => ({ version, sinceMs })),
  }
}

function newestOf(
  stored: readonly StoredChannelVersion[],
  id: string,
  versions: ReadonlyMap<string, ChannelFacts>,
): ChannelFacts[] {
  const version = stored.filter((each) => each.channelId === id).at(-1)?.version
  const facts = versions.get(`${id}/${version}`)
  return facts ? [facts] : []
}

async function readVersions(session: Session): Promise<StoredChannelVersion[]> {
  const [result] = await session.send([listChannelVersions()])
  return (result?.rows ?? []) as StoredChannelVersion[]
}
