// The versions of channels that contracts name, and how far each channel's own news has been read. Small and shared.
import type { Statement } from '../platform/db.ts'

/** `facts` is the configuration as text, for comparing. */
export type StoredChannelVersion = { readonly channelId: string; readonly version: number; readonly facts: string }

/** Oldest first within each channel. */
export function listChannelVersions(): Statement {
  return {
    name: 'list_channel_versions',
    text: `select channel_id as "channelId", version, facts::text as facts from channel_versions order by channel_id, version`,
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

export function readNewsPosition(channelId: string): Statement {
  return {
    name: 'read_news_position',
    text: `select read_until from channel_news where channel_id = $1`,
    values: [channelId],
  }
}

export function saveNewsPosition(channelId: string, readUntil: number): Statement {
  return {
    name: 'save_news_position',
    text: `insert into channel_news (channel_id, read_until) values ($1, $2)
           on conflict (channel_id) do update set read_until = excluded.read_until
            where channel_news.read_until < excluded.read_until`,
    values: [channelId, readUntil],
  }
}
