// The published lists in XML: OFAC's sdn.xml and the consolidated list of the UN's Security Council.
import { dayOf, party, type Told } from './party.ts'
import { attributeOf, type Element, textsAt, xmlRecords } from './xml-records.ts'

type Chunks = AsyncIterable<string>

export async function* ofacXml(chunks: Chunks): AsyncGenerator<Told> {
  for await (const element of xmlRecords(chunks, new Set(['publshInformation', 'sdnEntry']))) {
    if (element.name === 'publshInformation') {
      const publishedOn = dayOf(textsAt(element, 'Publish_Date').join(''), true)
      if (publishedOn !== null) yield { publishedOn }
      continue
    }
    const aliases = element.children.filter(({ name }) => name === 'akaList').flatMap(({ children }) => children)
    const told = party({
      entry: textsAt(element, 'uid')[0] ?? '',
      names: [element, ...aliases].map(firstAndLast),
      note: [
        ...textsAt(element, 'sdnType'),
        ...textsAt(element, 'programList', 'program'),
        ...textsAt(element, 'title'),
      ],
      born: textsAt(element, 'dateOfBirthList', 'dateOfBirthItem', 'dateOfBirth'),
      countries: [
        ...textsAt(element, 'nationalityList', 'nationality', 'country'),
        ...textsAt(element, 'citizenshipList', 'citizenship', 'country'),
        ...textsAt(element, 'addressList', 'address', 'country'),
      ],
    })
    if (told) yield told
  }
}

const firstAndLast = (element: Element) => [...textsAt(element, 'firstName'), ...textsAt(element, 'lastName')].join(' ')

export async function* unXml(chunks: Chunks): AsyncGenerator<Told> {
  let publishedOn: string | null = null
  const dated = noted(chunks, (text) => {
    publishedOn ??= dayOf(/dateGenerated\s*=\s*["']([^"']*)["']/.exec(text)?.[1] ?? '')
  })
  for await (const element of xmlRecords(dated, new Set(['INDIVIDUAL', 'ENTITY']))) {
    if (publishedOn !== null) {
      yield { publishedOn }
      publishedOn = null
    }
    const { name: kind } = element
    const told = party({
      entry: textsAt(element, 'DATAID')[0] ?? attributeOf(element, 'id') ?? '',
      names: [
        ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME'].flatMap((part) => textsAt(element, part)).join(' '),
        ...textsAt(element, 'NAME_ORIGINAL_SCRIPT'),
        ...textsAt(element, `${kind}_ALIAS`, 'ALIAS_NAME'),
      ],
      note: [...textsAt(element, 'UN_LIST_TYPE'), ...textsAt(element, 'REFERENCE_NUMBER')],
      born: [
        ...textsAt(element, 'INDIVIDUAL_DATE_OF_BIRTH', 'DATE'),
        ...textsAt(element, 'INDIVIDUAL_DATE_OF_BIRTH', 'YEAR'),
      ],
      countries: [...textsAt(element, 'NATIONALITY', 'VALUE'), ...textsAt(element, `${kind}_ADDRESS`, 'COUNTRY')],
    })
    if (told) yield told
  }
}

/** The beginning of a document is looked at on its way: its outermost element is no record. */
async function* noted(chunks: Chunks, look: (text: string) => void): AsyncGenerator<string> {
  let head = ''
  for await (const chunk of chunks) {
    if (head.length < 4_096) {
      head += chunk
      look(head)
    }
    yield chunk
  }
}
