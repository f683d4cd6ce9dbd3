// The five messages: their exact text, that it is valid, and that it reads back as what it was.
import { describe, expect, test } from 'vitest'
import { writeCamt053 } from '../../src/formats/iso20022/camt053.ts'
import { MESSAGE_KINDS } from '../../src/formats/iso20022/messages.ts'
import { readPacs002, writePacs002 } from '../../src/formats/iso20022/pacs002.ts'
import { readPacs008, writePacs008 } from '../../src/formats/iso20022/pacs008.ts'
import { readPain001, writePain001 } from '../../src/formats/iso20022/pain001.ts'
import { schemaFaults } from '../iso20022/schema-faults.ts'
import { BANK_STATUS, BANK_TRANSFERS, FILE, MESSAGES, STATEMENT } from './iso20022-samples.ts'

/** As it is read best, to the text as it goes out. */
function flat(text: string): string {
  return `${text.trim().replace(/>\s+</g, '><').replace('?><', '?>\n<')}\n`
}

test('there is a sample of every message', () => {
  expect(MESSAGES.map(([kind]) => kind)).toEqual(MESSAGE_KINDS)
})

describe.each(MESSAGES)('%s', (kind, text, read, message) => {
  test('is valid by its schema', () => {
    expect(schemaFaults(kind, Buffer.from(text))).toEqual([])
  })

  test('reads back as it was', () => {
    expect(read(Buffer.from(text))).toEqual({ message })
  })

  test('reads the same under a prefix, with line breaks, comments and the additions of a rail', () => {
    const dressed = text
      .replaceAll(/<(\/?)(\w)/g, '<$1n:$2')
      .replace('xmlns=', 'xmlns:x="urn:x" xmlns:n=')
      .replaceAll(/(<\/n:\w+>)(?=<n:)/g, '$1\n  <!-- <n:MsgId>no</n:MsgId> --><x:MsgId>no</x:MsgId>')
    expect(dressed).toContain('x:MsgId')
    expect(read(Buffer.from(`\uFEFF${dressed}`))).toEqual({ message })
  })
})

test('pacs.008, to the letter', () => {
  expect(writePacs008(BANK_TRANSFERS)).toBe(
    flat(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pacs.008.001.08">
  <FIToFICstmrCdtTrf>
    <GrpHdr>
      <MsgId>MSG-20260701-0001</MsgId>
      <CreDtTm>2026-07-01T08:00:00.000Z</CreDtTm>
      <NbOfTxs>1</NbOfTxs>
      <SttlmInf><SttlmMtd>CLRG</SttlmMtd></SttlmInf>
    </GrpHdr>
    <CdtTrfTxInf>
      <PmtId>
        <InstrId>INSTR-1</InstrId>
        <EndToEndId>0197c2a4b5d6700080000000000000aa001</EndToEndId>
        <UETR>8a562c67-ca16-48ba-b074-65581be6f001</UETR>
      </PmtId>
      <IntrBkSttlmAmt Ccy="PHP">100.00</IntrBkSttlmAmt>
      <ChrgBr>SLEV</ChrgBr>
      <Dbtr><Nm>Gateway Contracts Inc</Nm></Dbtr>
      <DbtrAgt><FinInstnId><ClrSysMmbId><MmbId>GATEWAY</MmbId></ClrSysMmbId></FinInstnId></DbtrAgt>
      <CdtrAgt><FinInstnId><BICFI>BOPIPHMM</BICFI></FinInstnId></CdtrAgt>
      <Cdtr>
        <Nm>Ana Peña &amp; Sons</Nm>
        <PstlAdr><Ctry>PH</Ctry><AdrLine>1 Ayala Avenue</AdrLine><AdrLine>Makati</AdrLine></PstlAdr>
        <CtctDtls><MobNb>+63-9171234567</MobNb><EmailAdr>ana@example.com</EmailAdr></CtctDtls>
      </Cdtr>
      <CdtrAcct><Id><Othr><Id>001234567890</Id></Othr></Id></CdtrAcct>
      <RmtInf><Ustrd>Invoice &lt;42&gt; for &quot;rice&quot;</Ustrd></RmtInf>
    </CdtTrfTxInf>
  </FIToFICstmrCdtTrf>
</Document>`),
  )
})

test('pacs.002, to the letter', () => {
  expect(writePacs002(BANK_STATUS)).toBe(
    flat(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pacs.002.001.10">
  <FIToFIPmtStsRpt>
    <GrpHdr><MsgId>MSG-20260701-0001</MsgId><CreDtTm>2026-07-01T08:00:00.000Z</CreDtTm></GrpHdr>
    <OrgnlGrpInfAndSts>
      <OrgnlMsgId>MSG-20260701-0000</OrgnlMsgId>
      <OrgnlMsgNmId>pacs.008.001.08</OrgnlMsgNmId>
    </OrgnlGrpInfAndSts>
    <TxInfAndSts>
      <OrgnlEndToEndId>E2E-1</OrgnlEndToEndId>
      <TxSts>RJCT</TxSts>
      <StsRsnInf>
        <Rsn><Cd>AC01</Cd></Rsn>
        <AddtlInf>No such account</AddtlInf>
        <AddtlInf>Ask the recipient</AddtlInf>
      </StsRsnInf>
      <StsRsnInf><Rsn><Prtry>HOUSE-7</Prtry></Rsn></StsRsnInf>
      <OrgnlTxRef><IntrBkSttlmAmt Ccy="PHP">100.00</IntrBkSttlmAmt></OrgnlTxRef>
    </TxInfAndSts>
  </FIToFIPmtStsRpt>
</Document>`),
  )
})

test('pain.001 counts and adds up its items', () => {
  const text = writePain001(FILE)
  expect(text.match(/<NbOfTxs>2<\/NbOfTxs><CtrlSum>0\.30<\/CtrlSum>/g)).toHaveLength(2)
  expect(text).toContain('<PmtMtd>TRF</PmtMtd><BtchBookg>false</BtchBookg><NbOfTxs>')
  expect(text).toContain('<ReqdExctnDt><Dt>2026-07-01</Dt></ReqdExctnDt>')
})

test.each([
  ['the count', (text: string) => text.replace('<NbOfTxs>2', '<NbOfTxs>3'), 'GrpHdr/NbOfTxs is not 2'],
  ['the group count', (text: string) => text.replace(/(BtchBookg><NbOfTxs>)2/, '$11'), 'PmtInf/NbOfTxs is not 2'],
  ['the sum', (text: string) => text.replace('<CtrlSum>0.30', '<CtrlSum>0.31'), 'GrpHdr/CtrlSum is not 0.30'],
  ['the sign', (text: string) => text.replace('<CtrlSum>0.30', '<CtrlSum>-0.30'), 'GrpHdr/CtrlSum is not 0.30'],
  ['the currency', (text: string) => text.replace('Ccy="PHP"', 'Ccy="USD"'), 'holds more than one currency'],
  ['a name twice', (text: string) => text.replace('E2E-2', 'E2E-1'), 'names a transfer twice'],
])('pain.001 is not believed when %s is wrong', (_what, bend, fault) => {
  const bent = bend(writePain001(FILE))
  expect(bent).not.toBe(writePain001(FILE))
  expect(readPain001(Buffer.from(bent))).toEqual({ fault: expect.stringContaining(fault) })
})

test('pain.001 takes a sum in any spelling of the number, and none', () => {
  const text = writePain001(FILE)
  for (const spelled of [
    text.replace('<CtrlSum>0.30', '<CtrlSum> +00.3000 '),
    text.replace(/<CtrlSum>.*?<\/CtrlSum>/, ''),
  ])
    expect(readPain001(Buffer.from(spelled))).toEqual({ message: FILE })
})

test('camt.053 tells debits, credits and returns apart', () => {
  const text = writeCamt053(STATEMENT)
  expect(text).toContain('<CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>')
  expect(text).toContain('<RtrInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>Account closed</AddtlInf></RtrInf>')
})

test.each([
  ['100', '100.00'],
  ['100.5', '100.50'],
  ['100.50000', '100.50'],
  ['+0100.50', '100.50'],
  [' 100.50\n', '100.50'],
  ['.5', '0.50'],
  ['0', '0.00'],
])('an amount spelled "%s" reads as %s', (spelled, amountDecimal) => {
  const reading = readPacs002(Buffer.from(writePacs002(BANK_STATUS).replace('>100.00<', `>${spelled}<`)))
  expect('message' in reading && reading.message.transfers[0]?.amount).toEqual({ amountDecimal, currency: 'PHP' })
})

test.each(['-1', '1.005', '1,00', '1e2', 'NaN', '', '.', '0x10', '1 0', '٣', '9'.repeat(17)])(
  'an amount spelled "%s" is a fault',
  (spelled) => {
    const reading = readPacs002(Buffer.from(writePacs002(BANK_STATUS).replace('>100.00<', `>${spelled}<`)))
    expect(reading).toEqual({ fault: expect.stringContaining('is no amount of a currency') })
  },
)

test.each([
  ['an identifier too long', { messageId: 'x'.repeat(36) }],
  ['an identifier that is none', { messageId: '' }],
  ['an identifier with a line break', { messageId: 'a\nb' }],
  ['no date and time', { createdAt: '2026-02-30T00:00:00Z' }],
  ['no transfer', { transfers: [] }],
  ['too many decimals', { transfers: [{ ...BANK_TRANSFERS.transfers[0]!, amountDecimal: '1.000' }] }],
  ['too few decimals', { transfers: [{ ...BANK_TRANSFERS.transfers[0]!, amountDecimal: '1' }] }],
  ['no money', { transfers: [{ ...BANK_TRANSFERS.transfers[0]!, amountDecimal: '0.00' }] }],
  ['less than no money', { transfers: [{ ...BANK_TRANSFERS.transfers[0]!, amountDecimal: '-1.00' }] }],
  ['no currency', { transfers: [{ ...BANK_TRANSFERS.transfers[0]!, currency: 'XXX' }] }],
  ['an account too long', { transfers: [{ ...BANK_TRANSFERS.transfers[0]!, creditorAccount: '1'.repeat(35) }] }],
])('nothing is written of %s', (_what, wrong) => {
  expect(() => writePacs008({ ...BANK_TRANSFERS, ...wrong })).toThrow(/broken invariant/)
})

test('a transfer may be named in a message once', () => {
  const [first] = BANK_TRANSFERS.transfers
  const twice = Buffer.from(writePacs008({ ...BANK_TRANSFERS, transfers: [first!, first!] }))
  expect(readPacs008(twice)).toEqual({ fault: expect.stringContaining('names a transfer twice') })
})
