// Words in the console's two languages, which need no browser. Each screen keeps its words beside itself, in both; the types see to it
// that neither lacks any.

export type Words = Readonly<Record<string, string | ((...facts: never[]) => string)>>
/** The same names, and where a word takes facts, the same facts. */
export type Same<W extends Words> = { readonly [Name in keyof W]: W[Name] extends string ? string : W[Name] }
export type Bilingual<W extends Words> = { readonly en: W; readonly fil: Same<W> }

export const bilingual = <W extends Words>(en: W, fil: Same<W>): Bilingual<W> => ({ en, fil })
