// The versions of channels that contracts name, the mode of each, and how far each channel's own events have been read.
// Small and shared.
import type { Statement } from '../../platform/db.ts'

/** `facts` is the configuration as text, for comparing. */
export type StoredChannelVersion = {
  readonly channelId: string
  readonly version: number
  readonly facts: string
  readonly sinceMs: number
}

/** Oldest first within each channel. */
export function listChannelVersions(): Statement {
  return {
    name: 'list_channel_versions',
    text: `select channel_id as "channelId", version, facts::text as facts,
                  round(extract(epoch from created_at) * 1000)::float8 as "sinceMs"
             from channel_versions order by channel_id, version`,
    values: [],
  }
}

/** How many versions there are: none ever leaves, so another number says that some were added. */
export function countChannelVersions(): Statement {
  return {
    name: 'count_channel_versions',
    isPrepared: true,
    text: 'select count(*)::int as versions from channel_versions',
    values: [],
  }
}

export function insertChannelVersion(channelId: string, version: number, facts: string): Statement {
  return {
    name: 'insert_channel_version',
    text: `insert into channel_versions (channel_id, version, facts) values ($1, $2, $3) on conflict do nothing`,
    values: [channelId, version, facts],
  }
}

/** Each channel's mode, for good: test, live, or both for the channel between wallets. */
export function listChannelModes(): Statement {
  return {
    name: 'list_channel_modes',
    text: `select m.channel_id,
                  case when bool_or(m.internal) then 'both' when bool_or(m.livemode) then 'live' else 'test' end as mode
             from channel_modes m group by m.channel_id`,
    values: [],
  }
}

/**
 * Binds a channel to a mode. Where it has that one already the key is refused (SQLSTATE 23505): a table that every node of a
 * cluster has takes no ON CONFLICT from a login that may only append.
 */
export function insertChannelMode(channelId: string, livemode: boolean, internal: boolean): Statement {
  return {
    name: 'insert_channel_mode',
    merge: {},
    text: `insert into channel_modes (channel_id, livemode, internal) values ($1, $2, $3)`,
    values: [channelId, livemode, internal],
  }
}

export function readRailEventPosition(channelId: string): Statement {
  return {
    name: 'read_rail_event_position',
    text: `select read_until from rail_event_positions where channel_id = $1`,
    values: [channelId],
  }
}

export function saveRailEventPosition(channelId: string, readUntil: number): Statement {
  return {
    name: 'save_rail_event_position',
    text: `insert into rail_event_positions (channel_id, read_until) values ($1, $2)
           on conflict (channel_id) do update set read_until = excluded.read_until
            where rail_event_positions.read_until < excluded.read_until`,
    values: [channelId, readUntil],
  }
}

/** Channels whose payouts are stopped until an operator has reviewed what does not fit. */
export function frozenChannels(): Statement {
  return {
    name: 'frozen_channels',
    isPrepared: true,
    text: `select f.channel_id, f.reason, extract(epoch from f.since)::float8 * 1000 as since from channel_freezes f`,
    values: [],
  }
}

export function freezeChannel(channelId: string, reason: string): Statement {
  return {
    name: 'freeze_channel',
    text: `insert into channel_freezes (channel_id, reason) values ($1, $2) on conflict (channel_id) do nothing`,
    values: [channelId, reason],
  }
}

export function unfreezeChannel(channelId: string): Statement {
  return {
    name: 'unfreeze_channel',
    text: `delete from channel_freezes f where f.channel_id = $1 returning f.channel_id`,
    values: [channelId],
  }
}
