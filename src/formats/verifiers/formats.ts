// The forms of published lists: by name, how each is read and whose it is.
import { euCsv, type OfacBeside, ofacCsv, ownCsv, ukCsv } from './csv-lists.ts'
import type { Told } from './party.ts'
import { ofacXml, unXml } from './xml-lists.ts'

export const LIST_FORMATS = ['ofac-sdn-csv', 'ofac-sdn-xml', 'un-xml', 'eu-csv', 'uk-csv', 'own-csv'] as const
export type ListFormat = (typeof LIST_FORMATS)[number]

/** Null for a list that says nothing of whose it is. */
export const SOURCE_OF: Readonly<Record<ListFormat, string | null>> = {
  'ofac-sdn-csv': 'OFAC SDN',
  'ofac-sdn-xml': 'OFAC SDN',
  'un-xml': 'UN Security Council',
  'eu-csv': 'EU',
  'uk-csv': 'UK',
  'own-csv': null,
}

/** Reads a list piece by piece. `beside`: the other files of OFAC's CSV. */
export async function* partiesIn(
  format: ListFormat,
  chunks: AsyncIterable<string>,
  beside: OfacBeside = { aliases: null, addresses: null },
): AsyncGenerator<Told> {
  switch (format) {
    case 'ofac-sdn-csv':
      yield* ofacCsv(chunks, beside)
      return
    case 'ofac-sdn-xml':
      yield* ofacXml(chunks)
      return
    case 'un-xml':
      yield* unXml(chunks)
      return
    case 'eu-csv':
      yield* euCsv(chunks)
      return
    case 'uk-csv':
      yield* ukCsv(chunks)
      return
    case 'own-csv':
      yield* ownCsv(chunks)
  }
}
