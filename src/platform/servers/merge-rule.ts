// What a statement says of how the answers of several servers to it are made one.

/** How answers of several servers become one. Without any of it, their rows stand one after another. */
export type Merge = {
  /** Rows that agree in these columns become one, whose other columns are folded; none at all: all rows become one. */
  readonly fold?: {
    readonly by: readonly string[]
    readonly columns: Readonly<Record<string, 'sum' | 'most' | 'least' | 'any'>>
  }
  /** Whether a server that is away is left out, for what is there is found at a later look. */
  readonly isPartial?: true
  /** Each server has the row, and one of it is enough: which column tells. */
  readonly once?: string
  readonly order?: readonly (readonly [column: string, way: 'up' | 'down'])[]
  /** Which value of the statement, from 1, is the number of rows that are wanted. */
  readonly limit?: number
}
