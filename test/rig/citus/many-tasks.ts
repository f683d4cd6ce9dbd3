// The statements that a cluster may have in more than one place, by the beginning of their names, each with the reason. Those that say
// "every lane" in their text need no line here.

/** What is looked for by node: each of its shards answers. */
const LOOKS = 'a look at the lanes of one node'
const REMOVES = 'finds or removes what is old in all lanes'
const COORDINATOR = 'reads a table of the coordinator, then one lane'
const ADDS =
  'rows are added in the midst of a statement of one lane: its parts run one after another, all of them on the node of the lane'
const GONE = 'ends in all lanes what a process held that is gone'
const SEVERAL = 'of callers of several lanes at once; of one lane it is another statement'

export const MANY_TASKS: Readonly<Record<string, string>> = {
  look_at_lanes: LOOKS,
  accounts_: LOOKS,
  find_old_: REMOVES,
  delete_old_: REMOVES,
  last_seal: COORDINATOR,
  verifiers_in_force_in_lane: COORDINATOR,
  sealing_keys_in_use: 'asked at a start: which keys the secrets of all accounts were sealed with',
  listed_origins: 'the origins of all accounts, known beforehand',
  find_api_keys: SEVERAL,
  find_access_tokens: SEVERAL,
  live_api_keys: SEVERAL,
  note_key_uses: SEVERAL,
  account_positions: SEVERAL,
  told_events: SEVERAL,
  free_endpoints: GONE,
  insert_command_rows: ADDS,
  add_gathered_rows: ADDS,
  copy_command_rows: ADDS,
  add_command_file_parts: ADDS,
}

const OPERATORS = 'every node has what operators did: they do it seldom'

/** Those with which a transaction may be committed in two phases. */
export const TWO_PHASES: Readonly<Record<string, string>> = {
  insert_channel_mode: 'a table that every node has, written when a channel is first configured',
  delete_old_: REMOVES,
  note_key_uses: SEVERAL,
  insert_operator_action: OPERATORS,
  insert_funding: OPERATORS,
  insert_epoch_positions_in_lane:
    'an epoch begins at home and in all lanes at once, or not at all: where the history of an account stands then is read under a lock that holds until it has begun; seldom, and of no money',
  free_endpoints: GONE,
  insert_command_rows: ADDS,
  add_gathered_rows: ADDS,
  copy_command_rows: ADDS,
  add_command_file_parts: ADDS,
}

/** A statement of one lane is among them by its whole name only. */
export const isNamed = (list: Readonly<Record<string, string>>, name: string): boolean =>
  Object.hasOwn(list, name) ||
  (!name.endsWith('_in_lane') && Object.keys(list).some((beginning) => name.startsWith(beginning)))
