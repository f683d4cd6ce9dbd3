// The statements that a cluster may have in more than one place, by the beginning of their names, each with the reason. Those that say
// "every lane" in their text need no line here.

/** What is looked for by node: each of its shards answers. */
const LOOKS = 'a look at the lanes of one node'
const REMOVES = 'finds or removes what is old in all lanes'
const COORDINATOR = 'reads a table of the coordinator, then one lane'
const SEVERAL = 'of callers of several lanes at once; of one lane it is another statement'

export const MANY_TASKS: Readonly<Record<string, string>> = {
  look_at_lanes: LOOKS,
  accounts_: LOOKS,
  find_old_: REMOVES,
  delete_old_: REMOVES,
  last_seal: COORDINATOR,
  find_api_keys: SEVERAL,
  find_access_tokens: SEVERAL,
  load_contracts: SEVERAL,
  live_api_keys: SEVERAL,
  note_key_uses: SEVERAL,
  account_positions: SEVERAL,
  told_events: SEVERAL,
}

/** Those with which a transaction may be committed in two phases. */
export const TWO_PHASES: Readonly<Record<string, string>> = {
  insert_channel_mode: 'a table that every node has, written when a channel is first configured',
  delete_old_: REMOVES,
  note_key_uses: SEVERAL,
}

/** A statement of one lane is never among them. */
export const isNamed = (list: Readonly<Record<string, string>>, name: string): boolean =>
  !name.endsWith('_in_lane') && Object.keys(list).some((beginning) => name.startsWith(beginning))
