// gateway doctor: examines a receiver of webhooks: whether it takes what is genuine and refuses what is not. Needs no
// gateway, for it plays the gateway's part. With --production it examines this installation instead.
import { once } from 'node:events'
import { Argument, type Command, Option } from 'commander'
import { newSecret } from '../../../sdk/src/signature.ts'
import { CommandFailed, commandWithJson, type WithJson } from '../arguments.ts'
import { type Credentials, stableCredentials } from './local-delivery.ts'
import { note, paint, print, printJson } from '../output.ts'
import { examine, type Finding, type Grade } from './receiver-exam.ts'
import { httpUrl, webhookSecret } from './webhook-arguments.ts'

type DoctorOptions = WithJson & {
  readonly secret?: string
  readonly bearerToken?: string
  readonly production?: true
}

export function doctorCommand(): Command {
  const command = commandWithJson(
    'doctor',
    'examine a receiver of webhooks, or a production; exit code 1 when it fails',
    [
      'gateway doctor --production',
      'gateway doctor http://127.0.0.1:8080/webhooks --secret whsec_…',
      'WEBHOOK_SECRET=whsec_… gateway doctor http://127.0.0.1:8080/webhooks --json',
    ],
  )
  return command
    .addArgument(new Argument('[url]', 'the receiver').argParser(httpUrl))
    .addOption(
      new Option('--secret <secret>', 'the secret that it knows (default: a new one is made)')
        .env('WEBHOOK_SECRET')
        .argParser(webhookSecret),
    )
    .addOption(new Option('--bearer-token <token>', 'the bearer token that it knows').env('WEBHOOK_BEARER_TOKEN'))
    .option('--production', 'examine this installation: configuration, database, clock, secrets, rails, accounts')
    .action(doctor)
}

async function doctor(url: string | undefined, options: DoctorOptions, command: Command): Promise<void> {
  if (options.production) {
    if (url !== undefined) command.error('error: give a receiver, or --production, and not both', { exitCode: 2 })
    const { doctorOfProduction } = await import('../operator/doctor-production.ts')
    return doctorOfProduction(options.json === true)
  }
  if (url === undefined) return command.error('error: give the address of a receiver, or --production', { exitCode: 2 })
  const credentials = credentialsOf(options)
  if (options.secret === undefined) await askToConfigure(credentials)
  const findings: Finding[] = []
  if (!options.json) note(`Sending samples to ${url}. They are marked livemode: false; no such contract exists.`)
  for await (const finding of examine(url, credentials)) {
    findings.push(finding)
    if (!options.json && finding.status_code !== null) tell(finding)
  }
  if (findings[0]?.status_code === null)
    throw new CommandFailed(`No receiver answers at ${url}. ${findings[0]?.said ?? ''} Start it, or mend the address.`)
  const count = (grade: Grade) => findings.filter((finding) => finding.grade === grade).length
  const [passed, warned, failed] = [count('pass'), count('warn'), count('fail')]
  if (options.json) printJson({ url, passed, warned, failed, checks: findings })
  else if (findings.length === 1) print('\nThe rest is examined once this is mended.')
  else print(`\n${passed} passed, ${warned} to consider, ${failed} failed.`)
  if (failed > 0) process.exitCode = 1
}

function credentialsOf({ secret = newSecret(), bearerToken }: DoctorOptions): Credentials {
  return { secret, bearerToken: bearerToken ?? stableCredentials(secret).bearerToken }
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

const COLOURS = { pass: 'green', warn: 'yellow', fail: 'red' } as const
const CHECK_CELLS = 54
const ANSWER_CELLS = 4

function tell({ check, grade, said, mend, status_code: status, duration_ms: tookMs }: Finding): void {
  const answer = String(status ?? '-').padStart(ANSWER_CELLS)
  const firstLine = said.split('\n')[0] ?? ''
  print(
    `${paint(COLOURS[grade], grade)}  ${check.padEnd(CHECK_CELLS)}${answer}  ${String(tookMs).padStart(5)} ms  ${firstLine}`,
  )
  if (mend !== null) print(paint('dim', `      ${mend}`))
}
