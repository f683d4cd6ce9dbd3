// gateway doctor: examines a receiver of webhooks: whether it takes what is genuine and refuses what is not. Needs no
// gateway, for it plays the gateway's part. With --production it examines this installation instead.
import { once } from 'node:events'
import { newSecret } from '../../../sdk/src/signature.ts'
import { CommandFailed, Misused } from '../failures.ts'
import { argument, command, flag, option, orEnvironment } from '../command.ts'
import { endExam, printFinding } from '../grades.ts'
import { note, print } from '../output.ts'
import { type Credentials, stableCredentials } from './local-delivery.ts'
import { examine, type Finding } from './receiver-exam.ts'
import { httpUrl, webhookSecret } from './webhook-arguments.ts'

export const doctor = command('doctor', 'examine a receiver of webhooks, or a production; exit code 1 when it fails', {
  examples: [
    'gateway doctor --production',
    'gateway doctor http://127.0.0.1:8080/webhooks --secret whsec_…',
    'WEBHOOK_SECRET=whsec_… gateway doctor http://127.0.0.1:8080/webhooks --json',
  ],
  arguments: [argument('[url]', 'the receiver', httpUrl)],
  options: {
    secret: orEnvironment(
      option('<secret>', 'the secret that it knows (default: a new one is made)', webhookSecret),
      'WEBHOOK_SECRET',
    ),
    bearerToken: orEnvironment(option('<token>', 'the bearer token that it knows'), 'WEBHOOK_BEARER_TOKEN'),
    production: flag('examine this installation: configuration, database, clock, secrets, rails, accounts'),
  },
  run: async ({ json, secret, bearerToken, production }, url) => {
    if (production) {
      if (url !== undefined) throw new Misused('give a receiver, or --production, and not both')
      const { doctorOfProduction } = await import('../operator/doctor-production.ts')
      return doctorOfProduction(json === true)
    }
    if (url === undefined) throw new Misused('give the address of a receiver, or --production')
    const known = secret ?? newSecret()
    const credentials = { secret: known, bearerToken: bearerToken ?? stableCredentials(known).bearerToken }
    if (secret === undefined) await askToConfigure(credentials)
    await examineReceiver(url, credentials, json === true)
  },
})

async function examineReceiver(url: string, credentials: Credentials, isJson: boolean): Promise<void> {
  const findings: Finding[] = []
  if (!isJson) note(`Sending samples to ${url}. They are marked livemode: false; no such contract exists.`)
  for await (const finding of examine(url, credentials)) {
    findings.push(finding)
    if (!isJson && finding.status_code !== null) printFinding(finding, lineOf(finding))
  }
  const [first] = findings
  if (first?.status_code === null)
    throw new CommandFailed(`No receiver answers at ${url}. ${first.said} Start it, or mend the address.`)
  if (findings.length === 1 && !isJson) {
    print('\nThe rest is examined once this is mended.')
    process.exitCode = 1
  } else endExam(findings, isJson, { url })
}

async function askToConfigure({ secret, bearerToken }: Credentials): Promise<void> {
  note('Start the receiver with this secret and bearer token first:')
  note(`  WEBHOOK_SECRET=${secret}`)
  note(`  WEBHOOK_BEARER_TOKEN=${bearerToken}`)
  if (!process.stdin.isTTY) return
  note('Then press Enter.')
  await once(process.stdin, 'data')
  process.stdin.pause()
}

const CHECK_CELLS = 54
const ANSWER_CELLS = 4

function lineOf({ check, said, status_code: status, duration_ms: tookMs }: Finding): string {
  const answer = String(status ?? '-').padStart(ANSWER_CELLS)
  return `${check.padEnd(CHECK_CELLS)}${answer}  ${String(tookMs).padStart(5)} ms  ${said.split('\n')[0] ?? ''}`
}
