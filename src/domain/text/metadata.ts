// The caller's own pairs beside what the gateway keeps: they mean nothing to the gateway.

/** Name and text. */
export type Metadata = Readonly<Record<string, string>>

export const METADATA_PAIRS_MAX = 50
export const METADATA_NAME_MAX = 40
export const METADATA_TEXT_MAX = 500
