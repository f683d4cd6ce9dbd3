// A receipt of a contract: texts as they were hashed and signed, so that it is checked without writing anything anew.

export type Receipt = {
  /** The versions of the contract in their order, each as the leaf that was sealed, with its way to the root of its seal. */
  readonly versions: readonly { readonly text: string; readonly seal: number; readonly path: readonly string[] }[]
  /** The members of the newest version's document: those that are shown with their text. */
  readonly members: readonly { readonly hash: string; readonly text: string | null }[]
  readonly seals: readonly {
    readonly number: number
    readonly text: string
    readonly signature: string
    readonly publicKey: string
  }[]
}
