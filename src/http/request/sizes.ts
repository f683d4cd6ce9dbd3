// How large bodies may be, in bytes. Whatever stands before a gateway lets the largest through (deploy/, docs/operating.md).

export const BODY_BYTES_MAX = {
  /** Where nothing else is said (docs/design/areas.md). */
  usual: 65_536,
  /** What a receiver takes. */
  callback: 262_144,
  /** A file of some thousand rows; more come in parts. */
  rows: 1_048_576,
  /** As many entries of a list as come at a time, each text of them at its longest. */
  entries: 4_194_304,
} as const
