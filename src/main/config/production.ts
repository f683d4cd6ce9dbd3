// What a production needs of its configuration: one list, which the start, gateway init, gateway doctor and the checklist
// in docs/operating.md share. Judges; changes nothing and calls nothing.
import { isWideRange } from '../../platform/addresses.ts'
import { type Config, Misconfigured } from './config.ts'
import { readSealingKeys } from '../database/sealing-keys.ts'
import { CALLING_RAILS } from './rails.ts'

/** Something that production lacks: the setting that it is about, what is wrong, and what to do. */
export type Lack = { readonly setting: string; readonly what: string; readonly mend: string }

type Requirement = {
  /** A variable of the environment, or `user`. */
  readonly setting: string
  /** One line of the checklist. */
  readonly title: string
  /** What is wrong, each with its fix; nothing where it is met. */
  readonly lacks: (config: Config, isRoot: boolean) => readonly (readonly [what: string, mend: string])[]
}

const OWN_SECRET = 'openssl rand -base64 32'

export const REQUIREMENTS: readonly Requirement[] = [
  {
    setting: 'user',
    title: 'A user of its own, not root',
    lacks: (_, isRoot) =>
      isRoot
        ? [
            [
              'The gateway runs as root.',
              'Start it as a user of its own that may write to GATEWAY_DATA_DIR, and nothing more.',
            ],
          ]
        : [],
  },
  {
    setting: 'GATEWAY_PUBLIC_URL',
    title: 'Its public address, over https',
    lacks: ({ publicUrl, publicUrlIsSaid }) => {
      if (publicUrlIsSaid && publicUrl.startsWith('https://')) return []
      const what = publicUrlIsSaid
        ? `GATEWAY_PUBLIC_URL is ${publicUrl}, and not over https.`
        : 'GATEWAY_PUBLIC_URL is missing.'
      return [
        [
          what,
          'Set it to the https address that callers and payers reach this gateway by, such as https://pay.example.com.',
        ],
      ]
    },
  },
  {
    setting: 'DATABASE_URL',
    title: 'A database of your own, or the word for the embedded one',
    lacks: ({ databaseUrl, embeddedIsSaid }) =>
      databaseUrl !== null || embeddedIsSaid
        ? []
        : [
            [
              'No database is named.',
              'Set DATABASE_URL to a PostgreSQL of your own, or GATEWAY_DATABASE=embedded for the one that comes along, which is backed up by you alone.',
            ],
          ],
  },
  {
    setting: 'GATEWAY_SEALING_KEYS',
    title: 'The keys that seal secrets, kept apart from the data',
    lacks: (config) => {
      if (config.sealingKeys === null)
        return [
          [
            'GATEWAY_SEALING_KEYS is missing.',
            `Make one (${OWN_SECRET}) and keep it where your secrets are, apart from backups.`,
          ],
        ]
      return faultOf(() => readSealingKeys(config.sealingKeys, config.dataDir), `Make one with ${OWN_SECRET}.`)
    },
  },
  {
    setting: 'GATEWAY_CALLBACK_SECRETS',
    title: 'For each live rail that calls back, the secret that it signs with',
    lacks: (config) =>
      callingChannels(config)
        .filter((id) => !config.callbackSecrets.has(id))
        .map((id) => [
          `GATEWAY_CALLBACK_SECRETS has none for ${id}, which is live and calls back.`,
          `Add ${id}=… with the secret that the provider signs with.`,
        ]),
  },
  {
    setting: 'rails',
    title: 'For each rail that is meant to be live, its address and what opens it',
    lacks: ({ rails }) =>
      rails.addressless.map(([setting, url]) => [
        `${setting} is set, and ${url} is not: it opens nothing, and the rail is not offered.`,
        `Set ${url}, or leave ${setting} out.`,
      ]),
  },
  {
    setting: 'SANDBOX_URL',
    title: 'No sandbox provider',
    lacks: ({ sandboxUrl }) =>
      sandboxUrl === null ? [] : [['SANDBOX_URL is set, and production has no sandbox provider.', 'Leave it out.']],
  },
  {
    setting: 'GATEWAY_WEBHOOK_ALLOW',
    title: 'Webhooks to public addresses, and to your own networks at most',
    lacks: ({ webhookAllow }) =>
      webhookAllow
        .filter(isWideRange)
        .map((range) => [
          `GATEWAY_WEBHOOK_ALLOW has ${range}, which allows nearly everything.`,
          'Name the networks of your own receivers; public addresses over https need no entry.',
        ]),
  },
  {
    setting: 'GATEWAY_CRASH_AT',
    title: 'Nothing that only tests use',
    lacks: ({ crashAt }) =>
      crashAt === null ? [] : [['GATEWAY_CRASH_AT is set, which is for tests.', 'Leave it out.']],
  },
]

/** All that is lacking, in the order of the list. */
export function missingForProduction(config: Config, isRoot: boolean = process.getuid?.() === 0): Lack[] {
  return REQUIREMENTS.flatMap(({ setting, lacks }) =>
    lacks(config, isRoot).map(([what, mend]) => ({ setting, what, mend })),
  )
}

/** The channels whose rail is live and reports the results of transfers by callback. */
function callingChannels({ channels, rails }: Config): string[] {
  const calling = CALLING_RAILS.filter((name) => rails[name].mode === 'live') as readonly string[]
  return channels.filter((channel) => calling.includes(channel.connector ?? channel.id)).map(({ id }) => id)
}

function faultOf(read: () => unknown, mend: string): (readonly [string, string])[] {
  try {
    read()
    return []
  } catch (fault) {
    if (fault instanceof Misconfigured) return [[`${fault.message}.`, mend]]
    throw fault
  }
}
