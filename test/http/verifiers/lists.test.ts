// Published lists: each form as its publisher describes it, with invented people; loaded beside the list in force, and switched in
// one moment.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type ListFormat, partiesIn } from '../../../src/formats/verifiers/formats.ts'
import type { Told } from '../../../src/formats/verifiers/party.ts'
import { openOperator } from '../../../src/main/operator/operator.ts'
import { openWorld, urlOf } from '../../world.ts'
import { isEnded, until } from './called-stage.ts'

const world = await openWorld()

/** In pieces of a few letters: a stream ends where it likes. */
async function* pieces(text: string, size = 7): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

async function read(
  format: ListFormat,
  text: string,
  aliases: string | null = null,
  addresses: string | null = null,
): Promise<Told[]> {
  const all: Told[] = []
  const piecesOrNull = (file: string | null) => (file === null ? null : pieces(file))
  const beside = { aliases: piecesOrNull(aliases), addresses: piecesOrNull(addresses) }
  for await (const told of partiesIn(format, pieces(text), beside)) all.push(told)
  return all
}

const OFAC_CSV = `9001,"ZORBAN, Malik","individual","EXAMPLE","Director",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"DOB 10 Dec 1961; nationality Cuba."
9002,"ZORBAN ""GOLD"" TRADING",-0- ,"EXAMPLE",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0-
`
const OFAC_ALT = `9001,1,"aka","SORBAN, Malik",-0-
`
const OFAC_ADD = `9001,501,"1 Example Street","Havana",Cuba,-0-
9001,502,-0- ,-0- ,"Iran",-0-
9002,503,"Box 1, Example Road","Aleppo","Syria",-0-
9002,504,"Box 1, Example Road","Aleppo",-0- ,-0-
9999,505,-0- ,-0- ,"Cuba",-0-
\x1a`
const OFAC_XML = `<?xml version="1.0"?><sdnList xmlns="http://example.test/"><publshInformation><Publish_Date>01/25/2026</Publish_Date>
</publshInformation><sdnEntry><uid>9001</uid><firstName>Malik</firstName><lastName>Zorban &amp; Sons</lastName><sdnType>Individual</sdnType>
<akaList><aka><uid>1</uid><type>a.k.a.</type><lastName>SORBAN</lastName><firstName>Malik</firstName></aka></akaList>
<dateOfBirthList><dateOfBirthItem><dateOfBirth>10 Dec 1961</dateOfBirth></dateOfBirthItem></dateOfBirthList>
<nationalityList><nationality><country>Cuba</country></nationality></nationalityList></sdnEntry></sdnList>`
const UN_XML = `<?xml version="1.0"?><CONSOLIDATED_LIST dateGenerated="2026-01-25T00:00:01"><INDIVIDUALS><INDIVIDUAL><DATAID>77</DATAID>
<FIRST_NAME>MALIK</FIRST_NAME><SECOND_NAME>ZORBAN</SECOND_NAME><UN_LIST_TYPE>Example</UN_LIST_TYPE>
<NATIONALITY><VALUE>Syrian Arab Republic</VALUE></NATIONALITY>
<INDIVIDUAL_ALIAS><ALIAS_NAME><![CDATA[Abu <Zorban>]]></ALIAS_NAME></INDIVIDUAL_ALIAS>
<INDIVIDUAL_DATE_OF_BIRTH><YEAR>1961</YEAR></INDIVIDUAL_DATE_OF_BIRTH></INDIVIDUAL></INDIVIDUALS>
<ENTITIES><ENTITY><DATAID>78</DATAID><FIRST_NAME>ZORBAN TRADING</FIRST_NAME></ENTITY></ENTITIES></CONSOLIDATED_LIST>`
const EU_CSV = `\uFEFFfileGenerationDate;Entity_LogicalId;Entity_SubjectType;NameAlias_LastName;NameAlias_FirstName;NameAlias_MiddleName;NameAlias_WholeName;BirthDate_BirthDate;Citizenship_CountryIso2Code
25/01/2026;13;P;;;;Malik Zorban;;
25/01/2026;13;P;;;;Malik Sorban;1961-12-10;
25/01/2026;13;P;;;;;;CU
25/01/2026;14;E;;;;"Zorban; Trading";;
`
const UK_CSV = `Last Updated,25/01/2026
Name 6,Name 1,Name 2,Name 3,Name 4,Name 5,Title,DOB,Nationality,Country,Group Type,Regime,Group ID
ZORBAN,Malik,,,,,,10/12/1961,Cuba,,Individual,Example,501
SORBAN,Malik,,,,,,,,,Individual,Example,501
ZORBAN TRADING,,,,,,,,,,Entity,Example,502
`

describe('forms', () => {
  test.each<[ListFormat, string, string | null]>([
    ['ofac-sdn-csv', OFAC_CSV, OFAC_ALT],
    ['ofac-sdn-xml', OFAC_XML, null],
    ['un-xml', UN_XML, null],
    ['eu-csv', EU_CSV, null],
    ['uk-csv', UK_CSV, null],
    ['own-csv', 'id,name,aliases,born,country\na1,Malik Zorban,Malik Sorban;M Z,1961,CU\n', null],
  ])('%s', async (format, text, aliases) => {
    expect(await read(format, text, aliases)).toMatchSnapshot()
  })

  test('OFAC’s addresses belong to entries by their number, and tell their countries', async () => {
    const told = await read('ofac-sdn-csv', OFAC_CSV, OFAC_ALT, OFAC_ADD)
    expect(told).toEqual([
      expect.objectContaining({ entry: '9001', names: ['ZORBAN, Malik', 'SORBAN, Malik'], countries: ['CU', 'IR'] }),
      expect.objectContaining({ entry: '9002', names: ['ZORBAN "GOLD" TRADING'], countries: ['SY'] }),
    ])
  })

  test('files that were taken for one another bring in nothing: a city is nobody’s name', async () => {
    await expect(read('ofac-sdn-csv', OFAC_CSV, OFAC_ADD)).rejects.toThrow('no ALT.CSV')
    await expect(read('ofac-sdn-csv', OFAC_CSV, OFAC_CSV)).rejects.toThrow('no ALT.CSV')
    await expect(read('ofac-sdn-csv', OFAC_CSV, null, OFAC_ALT)).rejects.toThrow('no ADD.CSV')
  })

  test('a file that is cut off, has a document type, or is of another form is not read to an end', async () => {
    await expect(read('un-xml', UN_XML.slice(0, -30))).rejects.toThrow('cut off')
    await expect(read('un-xml', `<!DOCTYPE a [<!ENTITY b "c">]>${UN_XML}`)).rejects.toThrow('document type')
    await expect(read('eu-csv', OFAC_CSV)).rejects.toThrow('no header')
    await expect(read('ofac-sdn-csv', '1,"open')).rejects.toThrow('cut off')
  })
})

/** The first of them is the one that is asked about. */
const people = (count: number) =>
  `id,name\n${Array.from({ length: count }, (_, i) => (i === 0 ? '0,Malik Zorban' : `${i},Person of number ${i}`)).join('\n')}\n`

const folder = mkdtempSync(join(tmpdir(), 'gateway-lists-'))
const databaseUrl = urlOf(world.database.owner)
const operator = await openOperator({ ...world.config, databaseUrl }, () => undefined)
afterAll(async () => {
  await operator.close()
  await world.stop()
})

let count = 0
async function load(text: string, force = false) {
  const file = join(folder, `${++count}.csv`)
  writeFileSync(file, text)
  return operator.loadList({
    file,
    format: 'own-csv',
    aliases: null,
    addresses: null,
    source: 'Test',
    publishedOn: null,
    force,
  })
}

test('a list screens everybody once it is whole; one that shrinks is asked about; results against the older one are over', async () => {
  const owner = await world.newCaller()
  const ask = async () => {
    const body = { kind: 'list', recipient: { name: 'Malik Zorban', country: 'CU' } }
    const { data } = await owner.ask('POST', '/verifications', { body })
    return until(owner, (data['verification'] as { id: string }).id, isEnded)
  }
  expect(await load(people(1_200))).toMatchObject({ outcome: 'loaded', entries: 1_200, before: null })
  const first = await ask()
  expect(first).toMatchObject({ status: 'review', evidence: { lists: 1 } })
  expect(await load(people(1_200))).toMatchObject({ outcome: 'unchanged' })
  expect(await load(people(100))).toMatchObject({ kind: 'not loaded', why: expect.stringContaining('--force') })
  expect(await load('id,name\n1,"open')).toMatchObject({ kind: 'not loaded', why: expect.stringContaining('cut off') })
  const shown = async () => (await owner.ask('GET', '/verifiers')).data['published_lists']
  expect(await shown()).toMatchObject([{ source: 'Test', entries: 1_200, stale: false }])
  expect(await load(people(100), true)).toMatchObject({ outcome: 'loaded', before: 1_200 })
  expect(await shown()).toMatchObject([{ source: 'Test', entries: 100 }])
  expect((await ask()).id).not.toBe(first.id)
  const [left] = await world.sql<{ count: number }>('select count(*)::int as count from screening_entries')
  expect(left?.count).toBe(100)
  await world.sql(`update screening_lists set checked_at = now() - interval '8 days' where is_current`)
  expect(await shown()).toMatchObject([{ stale: true }])
})
