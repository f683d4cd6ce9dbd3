// Types of a message, written as short tables -> XML Schema text. Names, order, occurrences, lengths and patterns are the
// standard's; of each message only the part that is used here, or that its readers may meet, is written down.

/** Text of a length, both ends included. */
export function textType(name: string, lengthMin: number, lengthMax: number): string {
  return simpleType(name, 'xs:string', facet('minLength', lengthMin) + facet('maxLength', lengthMax))
}

export function patternType(name: string, pattern: string): string {
  return simpleType(name, 'xs:string', facet('pattern', pattern))
}

/** One of the codes, which stand with spaces between. */
export function codeType(name: string, codes: string): string {
  const values = codes.split(' ').map((code) => facet('enumeration', code))
  return simpleType(name, 'xs:string', values.join(''))
}

export function simpleType(name: string, base: string, facets: string): string {
  return `<xs:simpleType name="${name}"><xs:restriction base="${base}">${facets}</xs:restriction></xs:simpleType>\n`
}

/** An amount from zero up, with the currency beside it. */
export function amountType(name: string): string {
  const facets = facet('fractionDigits', 5) + facet('totalDigits', 18) + facet('minInclusive', 0)
  const currency = '<xs:attribute name="Ccy" type="CurrencyCode" use="required"/>'
  const content = `<xs:extension base="${name}_SimpleType">${currency}</xs:extension>`
  return `${simpleType(`${name}_SimpleType`, 'xs:decimal', facets)}<xs:complexType name="${name}"><xs:simpleContent>${content}</xs:simpleContent></xs:complexType>\n`
}

/**
 * Elements one after the other: a line each, `Name Type`. The name may end in `?` (0 or 1), `*` (any number), `+` (1 or
 * more) or `{7}` (up to 7).
 */
export function sequenceType(name: string, lines: string): string {
  return complexType(name, 'sequence', lines)
}

/** One of the elements; lines as in `sequenceType`. */
export function choiceType(name: string, lines: string): string {
  return complexType(name, 'choice', lines)
}

/** The whole schema: a `Document` with one element of the type `Body`. */
export function schemaText(namespace: string, body: string, types: string): string {
  const head = `xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="${namespace}" targetNamespace="${namespace}"`
  const document = sequenceType('Document', `${body} Body`)
  return `<xs:schema ${head} elementFormDefault="qualified">\n<xs:element name="Document" type="Document"/>\n${document}${types}</xs:schema>\n`
}

export function facet(name: string, value: string | number): string {
  return `<xs:${name} value="${value}"/>`
}

function complexType(name: string, kind: 'sequence' | 'choice', lines: string): string {
  const elements = lines.trim().split('\n').map(elementText)
  return `<xs:complexType name="${name}"><xs:${kind}>${elements.join('')}</xs:${kind}></xs:complexType>\n`
}

const LINE = /^(\w+)(\?|\*|\+|\{(\d+)\})? +(\w+)$/

function elementText(line: string): string {
  const match = LINE.exec(line.trim())
  if (match === null) throw new Error(`no line of a schema: ${line}`)
  const [, name, mark = '', most, type] = match
  const min = mark === '' || mark === '+' ? '' : ' minOccurs="0"'
  const max = most === undefined ? '' : ` maxOccurs="${most}"`
  const many = mark === '*' || mark === '+' ? ' maxOccurs="unbounded"' : ''
  return `<xs:element name="${name}" type="${type}"${min}${max}${many}/>`
}
