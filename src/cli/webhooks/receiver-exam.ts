// What a receiver of webhooks must take and must refuse, as questions that are put to a running one. Each says what was
// wrong and how it is mended. Knows how to ask; who asks and how it is shown is the command's business.
import { randomBytes } from 'node:crypto'
import { newSecret, sign } from '../../../sdk/src/signature.ts'
import { jsonObjectIn } from '../arguments.ts'
import type { Grade } from '../grades.ts'
import { type Credentials, DELIVERY_WITHIN_MS, nowSeconds, openSender, type Sender } from './local-delivery.ts'
import { type Sample, sampleEvents } from './sample-events.ts'
import type { SendResult } from '../../webhooks/send.ts'

export type Finding = {
  readonly check: string
  readonly grade: Grade
  /** What the receiver did. */
  readonly said: string
  /** What to do about it; null where all is well. */
  readonly mend: string | null
  readonly status_code: number | null
  readonly duration_ms: number
}

type Exam = {
  readonly sender: Sender
  readonly credentials: Credentials
  readonly samples: ReturnType<typeof sampleEvents>
  /** All answers so far, for what is judged in the end. */
  readonly answers: SendResult[]
}
type Headers = Readonly<Record<string, string>>
type Verdict = Pick<Finding, 'grade' | 'said' | 'mend'>
type Question = (exam: Exam) => Promise<Finding>

const LATE_SECONDS = 600
const SLOW_MS = 2000
const LARGE_BYTES = 60 * 1024

/** Puts all questions, one after another. Ends with the first where that fails: who takes nothing refuses everything. */
export async function* examine(url: string, credentials: Credentials): AsyncGenerator<Finding> {
  const sender = openSender(url, credentials)
  const exam: Exam = { sender, credentials, samples: sampleEvents(), answers: [] }
  try {
    const first = await GENUINE(exam)
    yield first
    if (first.grade === 'fail') return
    for (const ask of QUESTIONS) yield await ask(exam)
    yield jsonFinding(exam)
    yield speedFinding(exam)
  } finally {
    await sender.close()
  }
}

// --- What must be taken --------------------------------------------------------------------------------------------

const taken =
  (check: string, mend: string, send: (exam: Exam) => Promise<SendResult>, otherwise: Grade = 'fail'): Question =>
  async (exam) => {
    const result = await send(exam)
    const isTaken = result.outcome === 'delivered'
    const verdict: Verdict = isTaken ? TAKEN : { grade: otherwise, said: wordsOf(result), mend }
    return findingOf(check, result, verdict)
  }
const TAKEN: Verdict = { grade: 'pass', said: 'taken', mend: null }

const REPEATED = 'paid'

const GENUINE = taken(
  'a genuine event is taken',
  'Check that it knows this very secret and bearer token, verifies the bytes of the body as they came in (before any parsing), and answers 2xx.',
  (exam) => post(exam, exam.samples.contract(REPEATED)),
)

const ACCEPTED = [
  taken(
    'the same event again is taken',
    'An event may come more than once. Remember webhook-id, do nothing for one that is known, and answer 2xx all the same.',
    (exam) => post(exam, exam.samples.contract(REPEATED)),
  ),
  taken(
    'a signature among several is found',
    'While a secret is replaced, two of them sign. Compare with every v1 of the header, not only with the first.',
    (exam) => {
      const event = exam.samples.fresh()
      return post(exam, event, headersOf(exam, event, { secrets: [newSecret(), exam.credentials.secret] }))
    },
  ),
  taken(
    'an event that comes late, after a newer one, is taken',
    'Order is not promised. Take it with 2xx, and keep what you know where `sequence` is lower than that of the newest.',
    async (exam) => {
      const newer = await post(exam, exam.samples.contract('completed'))
      return newer.outcome === 'delivered' ? post(exam, exam.samples.contract('updated')) : newer
    },
  ),
  taken(
    'an event of an unknown type is taken',
    'New types will come. Answer 2xx to those you do not know, or they are tried again for three days.',
    (exam) => post(exam, exam.samples.unknown()),
    'warn',
  ),
  taken(
    `a body of ${LARGE_BYTES / 1024} KiB is taken`,
    'Raise the limit of the body to 256 KiB, in the server and in any proxy before it.',
    (exam) => post(exam, exam.samples.large(LARGE_BYTES)),
  ),
]

// --- What must be refused ------------------------------------------------------------------------------------------

/** `ifTaken` is what taking it comes to: most of it is a hole, some of it a habit of well-known libraries. */
const refused =
  (
    check: string,
    ifTaken: 'fail' | 'warn',
    mend: string,
    headers: (exam: Exam, event: Sample) => Headers,
    body = (event: Sample) => event.body,
  ): Question =>
  async (exam) => {
    const event = exam.samples.fresh()
    const result = await post(exam, { ...event, body: body(event) }, headers(exam, event))
    return findingOf(check, result, judgeRefused(result, ifTaken, mend))
  }

function judgeRefused(result: SendResult, ifTaken: 'fail' | 'warn', mend: string): Verdict {
  const { statusCode: status } = result
  if (status !== null && status >= 400 && status < 500) return { grade: 'pass', said: 'refused', mend: null }
  if (result.outcome === 'delivered') return { grade: ifTaken, said: 'taken', mend }
  const better = 'It is not taken, but not refused either. Answer 400 (401 for a wrong bearer token).'
  return { grade: status === null ? 'fail' : 'warn', said: wordsOf(result), mend: better }
}

const REFUSED = [
  refused(
    'a signature of another secret is refused',
    'fail',
    'Anybody can make it believe anything. Compute the HMAC yourself, compare it in constant time, and answer 400 where none fits.',
    (exam, event) => headersOf(exam, event, { secrets: [newSecret()] }),
  ),
  refused(
    'a body that was changed on the way is refused',
    'fail',
    'The body is not part of what it verifies. The HMAC is over the timestamp, a dot and the bytes of the body.',
    (exam, event) => headersOf(exam, event, {}),
    ({ body }) => Buffer.from(body.toString().replace('"currency":"PHP"', '"currency":"USD"')),
  ),
  refused(
    'an event without a signature is refused',
    'fail',
    'Answer 400 where Service-Signature (or webhook-signature) is missing, whatever else the request has.',
    (exam, event) => {
      const { authorization = '', 'content-type': type = '' } = headersOf(exam, event, {})
      return { authorization, 'content-type': type }
    },
  ),
  refused(
    'an event signed ten minutes ago is refused',
    'fail',
    'Whoever has recorded a request can send it again for ever. Refuse where the signed timestamp is more than 300 s old.',
    (exam, event) => headersOf(exam, event, { atSeconds: nowSeconds() - LATE_SECONDS }),
  ),
  refused(
    'an event signed ten minutes ahead is refused',
    // Some verifiers that are in wide use look at the past only.
    'warn',
    'Refuse where the signed timestamp is more than 300 s ahead, too: such a request stays good for longer than 300 s.',
    (exam, event) => headersOf(exam, event, { atSeconds: nowSeconds() + LATE_SECONDS }),
  ),
  refused(
    'a wrong bearer token is refused',
    'warn',
    'The signature protects it already. Compare Authorization as well, and answer 401 where it is another one.',
    (exam, event) => {
      const authorization = `Bearer whb_${randomBytes(32).toString('base64url')}`
      return { ...headersOf(exam, event, {}), authorization }
    },
  ),
]

const QUESTIONS: readonly Question[] = [...ACCEPTED, ...REFUSED]

// --- What is judged in the end -------------------------------------------------------------------------------------

function jsonFinding({ answers }: Exam): Finding {
  const check = 'it answers with a JSON object'
  const first = answers.find(({ outcome }) => outcome === 'delivered')
  const is = { check, status_code: first?.statusCode ?? null, duration_ms: first?.durationMs ?? 0 }
  if (first !== undefined && jsonObjectIn(first.responseBody ?? '') !== null)
    return { ...is, grade: 'pass', said: first.responseBody ?? '', mend: null }
  const mend = 'Answer {} with content-type application/json. Any 2xx counts as delivered, so this is a matter of form.'
  return { ...is, grade: 'warn', said: first === undefined ? 'nothing was taken' : 'no JSON object', mend }
}

function speedFinding({ answers }: Exam): Finding {
  const slowest = answers.reduce((slow, each) => (each.durationMs > slow.durationMs ? each : slow))
  const { durationMs, statusCode } = slowest
  const is = { check: 'it answers in time', status_code: statusCode, duration_ms: durationMs }
  const said = `at most ${durationMs} ms`
  const mend = `A delivery is given up after ${DELIVERY_WITHIN_MS / 1000} s, and comes again. Put the event into a queue, answer, and work afterwards.`
  if (statusCode === null) return { ...is, grade: 'fail', said: 'not always', mend }
  return durationMs > SLOW_MS ? { ...is, grade: 'warn', said, mend } : { ...is, grade: 'pass', said, mend: null }
}

// --- Asking --------------------------------------------------------------------------------------------------------

type Signing = { readonly atSeconds?: number; readonly secrets?: readonly string[] }

function headersOf({ sender, credentials }: Exam, { id, body }: Sample, signing: Signing): Headers {
  const { atSeconds = nowSeconds(), secrets = [credentials.secret] } = signing
  return { ...sender.headersOf(id, body, atSeconds), ...sign({ id, timestampSeconds: atSeconds, body, secrets }) }
}

async function post(exam: Exam, sample: Sample, headers = headersOf(exam, sample, {})): Promise<SendResult> {
  const result = await exam.sender.post(headers, sample.body)
  exam.answers.push(result)
  return result
}

function findingOf(check: string, { statusCode, durationMs }: SendResult, verdict: Verdict): Finding {
  return { check, ...verdict, status_code: statusCode, duration_ms: durationMs }
}

const wordsOf = ({ fault, outcome }: SendResult) => fault ?? outcome
