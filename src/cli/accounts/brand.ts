// gateway accounts brand: what payers see of the account on its payment page. Over HTTP, or as the operator on the database.
import { readFileSync } from 'node:fs'
import { keptLogo } from '../../app/accounts/brands.ts'
import { readBrand, type SentBrand } from '../../domain/account/brand.ts'
import { type Problem, refuseAll } from '../../domain/contract/refusals.ts'
import { LOGO_BYTES_MAX, logoUri, readLogo, readLogoFile } from '../../formats/logo-image.ts'
import { type AccountReply, presentAccount } from '../../wire/accounts/account.ts'
import type { Wire } from '../../wire/shapes.ts'
import { uuid } from '../arguments.ts'
import { CommandFailed } from '../failures.ts'
import { call, get, patch } from '../client.ts'
import { placeOf } from '../place.ts'
import { command, option, PLACE, type Values } from '../command.ts'
import { modeWords } from '../output.ts'
import { asOperator, noSuchAccount, OPERATOR, operatorName } from '../operator/as-operator.ts'
import { printOne, type Shows } from '../view.ts'

const PATH = '/accounts/me'
type Shown = Wire<typeof AccountReply>['data']

const BRAND: Shows<Shown['account']> = [
  ['account', 'id'],
  ['mode', ({ livemode }) => modeWords(livemode)],
  ['payers see', ({ brand }) => brand.shown.name],
  ['logo', ({ brand: { logo } }) => (logo === null ? 'none' : logoText(logo))],
  ['colour', ({ brand: { colour } }) => colour ?? "the page's own"],
  ['button', ({ brand: { shown } }) => shown.button && `${shown.button.text} on ${shown.button.background}`],
  ['links', ({ brand: { shown } }) => shown.links && `${shown.links.light}, in the dark ${shown.links.dark}`],
  ['support', ({ support: { email, phone, url } }) => [email, phone, url].filter(Boolean).join(', ') || 'none'],
]

function logoText(uri: string): string {
  const read = readLogo(uri)
  return 'fault' in read ? '' : `${read.type}, ${read.width} × ${read.height}, ${read.bytes.length} bytes`
}

const cleared = (text: string | undefined) => (text === '' ? null : text)

/** A file as the API takes it; refused here where it is no picture, so that the words are about the file. */
function logoOf(path: string | undefined): string | null | undefined {
  if (path === undefined || path === '') return cleared(path)
  const read = readLogoFile(fileAt(path))
  if ('fault' in read) throw new CommandFailed(`${path}: a logo must be ${read.fault}.`)
  return logoUri(read)
}

function fileAt(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (fault) {
    throw new CommandFailed(`${path} cannot be read: ${(fault as NodeJS.ErrnoException).code}`)
  }
}

const OPTIONS = {
  name: option('<name>', "in place of the account's name, up to 80 characters"),
  logo: option(
    '<file>',
    `a PNG, JPEG or WebP of ${LOGO_BYTES_MAX / 1024} KiB at most, up to 1024 pixels wide and high`,
  ),
  colour: option('<#rrggbb>', 'the accent of the page'),
  supportEmail: option('<address>', 'where payers write'),
  supportPhone: option('<number>', 'what payers call, in international form'),
  supportUrl: option('<url>', 'a page of help, over https'),
  account: option('<id>', 'as the operator, on the database: any account, as "accounts list" shows it', uuid),
  ...OPERATOR,
  ...PLACE,
}

/** Null where nothing is to change. */
function changesIn(options: Values<typeof OPTIONS>): SentBrand | null {
  const { name, logo, colour, supportEmail, supportPhone, supportUrl } = options
  const sent = { name: cleared(name), logo: logoOf(logo), colour: cleared(colour) }
  const support = { email: cleared(supportEmail), phone: cleared(supportPhone), url: cleared(supportUrl) }
  const isChange = [...Object.values(sent), ...Object.values(support)].some((value) => value !== undefined)
  return isChange ? { brand: sent, support } : null
}

async function byOperator(account: string, changes: SentBrand | null, name: string | undefined): Promise<Shown> {
  const problems: Problem[] = []
  const read = changes && readBrand(changes, keptLogo, problems)
  const [first, ...others] = problems
  const after = await asOperator(async (operator) =>
    first ? refuseAll([first, ...others]) : operator.settle(account, read ? { brand: read } : {}, operatorName(name)),
  )
  if (!after) throw noSuchAccount(account)
  return { account: presentAccount(after) }
}

export const brand = command('brand', 'show or change what payers see of the account on its payment page', {
  examples: [
    'gateway accounts brand',
    'gateway accounts brand --name "Reyes Trading" --logo logo.png --colour "#0a7d55"',
    'gateway accounts brand --support-email help@reyes.example --support-phone "+63 2 8123 4567"',
    'gateway accounts brand --logo ""',
    'gateway accounts brand --account 0198… --name "Reyes Trading"      (as the operator)',
  ],
  options: OPTIONS,
  run: (options): Promise<Shown> => {
    const changes = changesIn(options)
    const { account, operator } = options
    if (account !== undefined) return byOperator(account, changes, operator)
    return call<Shown>(placeOf(options), changes === null ? get(PATH) : patch(PATH, changes))
  },
  print: ({ account }) => printOne(account, BRAND),
  notes:
    '"" takes a value away. Only what is given changes. Of a live account a key changes the colour alone, and takes away: what payers\ntrust is changed by a member who is signed in, or by the operator with --account.',
})
