// gateway webhooks sign and verify: the signature scheme at hand, for whoever writes a receiver. Needs no gateway.
import {
  type Doubt,
  type HeaderValues,
  sign as signatureOf,
  type Verdict,
  verifyServiceSignature,
  verifyStandardWebhook,
} from '../../../sdk/src/signature.ts'
import { repeated } from '../arguments.ts'
import { CommandFailed } from '../failures.ts'
import { command, option, required, withDefault } from '../command.ts'
import { nowSeconds } from './local-delivery.ts'
import { paint, print } from '../output.ts'
import { bytesOf, unixSeconds, webhookSecret } from './webhook-arguments.ts'

// Of the form that the gateway's own ids have.
const SAMPLE_ID = `evt_${'0'.repeat(32)}0001`

const FILE = { file: option('<path>', 'the body, byte for byte (default: standard input)') }

export const sign = command('sign', 'the headers that prove a body, to try a receiver with', {
  examples: [
    'gateway webhooks sign --secret whsec_… --file body.json',
    `printf '{}' | gateway webhooks sign --secret whsec_…`,
  ],
  options: {
    secret: required(option('<secret>', 'whsec_…', webhookSecret)),
    id: withDefault(option('<id>', 'what webhook-id is to say'), SAMPLE_ID),
    timestamp: option('<seconds>', 'when it was sent, in Unix seconds (default: now)', unixSeconds),
    ...FILE,
  },
  run: ({ secret, id, file, timestamp = nowSeconds() }) => ({
    headers: signatureOf({ id, timestampSeconds: timestamp, body: bytesOf(file), secrets: [secret] }),
  }),
  print: ({ headers }) => {
    for (const [name, value] of Object.entries(headers)) print(`${name}: ${value}`)
  },
})

export const verifySignature = command(
  'verify',
  'whether a request that came in is genuine, or why not; exit code 1 when it is not',
  {
    examples: [
      `gateway webhooks verify --secret whsec_… --header 't=1793520000,v1=…' --file body.json`,
      `gateway webhooks verify --secret whsec_… --header 'webhook-id: evt_…' --header 'webhook-timestamp: …' --header 'webhook-signature: v1,…' < body.json`,
    ],
    options: {
      secret: required(option('<secret>', 'whsec_…; once for each that may have signed', repeated(webhookSecret))),
      header: required(
        option('<header>', 'the value of Service-Signature, or "name: value"; once for each', repeated(String)),
      ),
      ...FILE,
      at: option('<seconds>', 'judge as at this time, in Unix seconds (default: now)', unixSeconds),
    },
    run: ({ secret, header, file, at = nowSeconds() }) => verdictOf(headersOf(header), bytesOf(file), secret, at),
    json: (verdict) =>
      verdict.ok ? { valid: true, timestamp: verdict.timestampSeconds } : { valid: false, reason: verdict.reason },
    print: (verdict) =>
      print(
        verdict.ok
          ? `${paint('green', 'valid')}  signed at ${new Date(verdict.timestampSeconds * 1000).toISOString()}`
          : `${paint('red', 'not valid')}  ${WHY[verdict.reason]}`,
      ),
    failed: ({ ok }) => !ok,
  },
)

const WHY: Readonly<Record<Doubt, string>> = {
  missing:
    'A header is missing. Service-Signature is enough; Standard Webhooks needs webhook-id, webhook-timestamp and webhook-signature.',
  malformed: 'The header is not of the form t=<seconds>,v1=<64 hexadecimal digits>. Copy it whole, as it came in.',
  mismatch:
    'The signature does not fit. Either the secret is another one, or these are not the bytes that were sent: do not parse and print the body again.',
  stale:
    'The signature fits, but is more than 300 s old. For a request that was kept, give the time of its arrival: --at.',
  future: 'The signature fits, but its time is more than 300 s ahead. Set the clock of this machine (NTP).',
}

/** Either family proves it. With both, both must. */
function verdictOf(headers: HeaderValues, body: Buffer, secrets: readonly string[], seconds: number): Verdict {
  const window = { nowSeconds: seconds }
  const hasStandard = 'webhook-signature' in headers || 'webhook-id' in headers || 'webhook-timestamp' in headers
  const verdicts: Verdict[] = []
  if ('service-signature' in headers || !hasStandard)
    verdicts.push(verifyServiceSignature(body, headers['service-signature'], secrets, window))
  if (hasStandard) verdicts.push(verifyStandardWebhook(body, headers, secrets, window))
  const [first, ...others] = verdicts
  return others.find((verdict) => !verdict.ok) ?? first ?? { ok: false, reason: 'missing' }
}

const KNOWN = ['service-signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature']

/** "Name: value" as a log or curl -v shows it; a value alone is that of Service-Signature. Other headers prove nothing. */
function headersOf(lines: readonly string[]): HeaderValues {
  const headers: Record<string, string[]> = {}
  for (const line of lines) {
    const [, name = 'service-signature', value = line] = /^\s*([A-Za-z-]+):\s*(.*?)\s*$/s.exec(line) ?? []
    if (KNOWN.includes(name.toLowerCase())) (headers[name.toLowerCase()] ??= []).push(value)
  }
  if (Object.keys(headers).length > 0) return headers
  throw new CommandFailed(`None of these headers is a signature. Give one of: ${KNOWN.join(', ')}.`)
}
