// gateway webhooks sign and verify: the signature scheme at hand, for whoever writes a receiver. Needs no gateway.
import type { Command } from 'commander'
import {
  type Doubt,
  type HeaderValues,
  sign,
  type Verdict,
  verifyServiceSignature,
  verifyStandardWebhook,
} from '../../../sdk/src/signature.ts'
import { CommandFailed, commandWithJson, type WithJson } from '../arguments.ts'
import { paint, print, printJson } from '../output.ts'
import { bytesOf, unixSeconds, webhookSecret } from './webhook-arguments.ts'

// Of the form that the gateway's own ids have.
const SAMPLE_ID = `evt_${'0'.repeat(32)}0001`

type SignOptions = WithJson & {
  readonly secret: string
  readonly id: string
  readonly file?: string
  readonly timestamp?: number
}

export function signCommand(): Command {
  return commandWithJson('sign', 'the headers that prove a body, to try a receiver with', [
    'gateway webhooks sign --secret whsec_… --file body.json',
    `printf '{}' | gateway webhooks sign --secret whsec_…`,
  ])
    .requiredOption('--secret <secret>', 'whsec_…', webhookSecret)
    .option('--id <id>', 'what webhook-id is to say', SAMPLE_ID)
    .option('--timestamp <seconds>', 'when it was sent, in Unix seconds (default: now)', unixSeconds)
    .option('--file <path>', 'the body, byte for byte (default: standard input)')
    .action(({ json, secret, id, file, timestamp }: SignOptions) => {
      const timestampSeconds = timestamp ?? nowSeconds()
      const headers = sign({ id, timestampSeconds, body: bytesOf(file), secrets: [secret] })
      if (json) return printJson({ headers })
      for (const [name, value] of Object.entries(headers)) print(`${name}: ${value}`)
    })
}

type VerifyOptions = WithJson & {
  readonly secret: readonly string[]
  readonly header: readonly string[]
  readonly file?: string
  readonly at?: number
}

export function verifySignatureCommand(): Command {
  return commandWithJson(
    'verify',
    'whether a request that came in is genuine, or why not; exit code 1 when it is not',
    [
      `gateway webhooks verify --secret whsec_… --header 't=1793520000,v1=…' --file body.json`,
      `gateway webhooks verify --secret whsec_… --header 'webhook-id: evt_…' --header 'webhook-timestamp: …' --header 'webhook-signature: v1,…' < body.json`,
    ],
  )
    .requiredOption('--secret <secret>', 'whsec_…; once for each that may have signed', collectSecrets)
    .requiredOption('--header <header>', 'the value of Service-Signature, or "name: value"; once for each', collect)
    .option('--file <path>', 'the body, byte for byte (default: standard input)')
    .option('--at <seconds>', 'judge as at this time, in Unix seconds (default: now)', unixSeconds)
    .action(({ json, secret, header, file, at }: VerifyOptions) => {
      const verdict = verdictOf(headersOf(header), bytesOf(file), secret, at ?? nowSeconds())
      if (json)
        printJson(
          verdict.ok ? { valid: true, timestamp: verdict.timestampSeconds } : { valid: false, reason: verdict.reason },
        )
      else if (verdict.ok)
        print(`${paint('green', 'valid')}  signed at ${new Date(verdict.timestampSeconds * 1000).toISOString()}`)
      else print(`${paint('red', 'not valid')}  ${WHY[verdict.reason]}`)
      if (!verdict.ok) process.exitCode = 1
    })
}

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

const collect = (text: string, before: readonly string[] = []) => [...before, text]
const collectSecrets = (text: string, before: readonly string[] = []) => [...before, webhookSecret(text)]
const nowSeconds = () => Math.floor(Date.now() / 1000)
