// gateway open: a page of the gateway in the browser. Its address is printed, too, for where there is no browser.
import { spawn } from 'node:child_process'
import { readCommandLine } from '../../main/config/command-line.ts'
import { call, get } from '../client.ts'
import { argument, command, flag, option, PLACE } from '../command.ts'
import { wordOf } from '../arguments.ts'
import { CommandFailed, Misused } from '../failures.ts'
import { note, print, printPairs } from '../output.ts'
import { consoleLoginAt, findPlace, type PlaceOptions, placeOf } from '../place.ts'
import { totpAt } from '../../platform/totp.ts'
import { wholeId } from '../short-ids.ts'

/** Each with the path that it opens. */
const PAGES: Readonly<Record<string, string>> = {
  console: '/console/',
  docs: '/docs/',
  reference: '/docs/reference/',
  document: '/openapi.json',
  health: '/readyz',
}
const NAMES = [...Object.keys(PAGES), 'checkout']

export const open = command('open', 'open a page of the gateway in the browser', {
  examples: ['gateway open', 'gateway open reference', 'gateway open checkout 0198…', 'gateway open docs --print'],
  arguments: [
    argument(
      '[page]',
      `${NAMES.join(', ')} (default: console)`,
      wordOf(`Choose from ${NAMES.join(', ')}.`, (text) => (NAMES.includes(text) ? text : null)),
    ),
    argument('[id]', 'of checkout: the payment contract'),
  ],
  options: {
    ...PLACE,
    print: flag('only print the address'),
    browser: option('<program>', 'what opens it (default: BROWSER, or the system’s)'),
  },
  run: async ({ print: isPrinted, browser, ...options }, page = 'console', id) => {
    const url =
      page === 'checkout' ? await checkoutOf(options, id) : `${findPlace(options).url.value}${PAGES[page] ?? ''}`
    const opened =
      !isPrinted && (await openedBy(browser ?? readCommandLine().browser ?? OPENERS[process.platform] ?? null, url))
    if (!isPrinted && !opened) note('No browser could be started here. The address:')
    return { url, opened, login: page === 'console' ? loginAt(url) : null }
  },
  print: ({ url, login }) => {
    print(url)
    if (login)
      printPairs([
        ['E-mail', login.email],
        ['Password', login.password],
        ['Code', `${login.code}  (for half a minute)`],
      ])
  },
})

/** Of a development gateway whose file this user can read, how one signs in now. */
function loginAt(url: string) {
  const login = consoleLoginAt(url)
  return login && { email: login.email, password: login.password, code: totpAt(login.totp_secret, Date.now()) }
}

async function checkoutOf(options: PlaceOptions, id: string | undefined): Promise<string> {
  if (id === undefined) throw new Misused('give the id of the payment contract: gateway open checkout 0198…')
  const place = placeOf(options)
  const whole = await wholeId(place, 'payment', id)
  const { contract } = await call<{ contract: { status: string; checkout_url: string | null } }>(
    place,
    get(`/contracts/payment/${whole}`),
  )
  if (contract.checkout_url !== null) return contract.checkout_url
  throw new CommandFailed(`The contract is ${contract.status}: it has no page where it is paid.`)
}

const OPENERS: Partial<Record<NodeJS.Platform, string>> = { linux: 'xdg-open', darwin: 'open' }

/** Whether the program could be started. It goes on by itself. */
function openedBy(program: string | null, url: string): Promise<boolean> {
  if (program === null) return Promise.resolve(false)
  return new Promise((resolve) => {
    const child = spawn(program, [url], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
