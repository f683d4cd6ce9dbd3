// What a verifier of one's own answers, read strictly: it names the question, says one of three words, and may say why. Pure.
import { maskCards } from '../text/cards.ts'
import { seenText } from '../text/texts.ts'
import type { Answer } from './verification.ts'

const EVIDENCE_MAX = 20
const VALUE_MAX = 500
const NAME = /^[a-z][a-z0-9_]{0,39}$/
const RESULTS: ReadonlySet<unknown> = new Set(['pass', 'fail', 'review'])
const MEMBERS: ReadonlySet<string> = new Set(['id', 'result', 'reason', 'evidence'])

type Scalar = string | number | boolean | null

/** Anything but an answer to this very question is none: it is asked again, and never passes. */
export function answerIn(sent: unknown, id: string): Answer {
  if (!isRecord(sent) || Object.keys(sent).some((name) => !MEMBERS.has(name))) return noAnswer('is not of the form')
  const { id: about, result, reason = null, evidence = null } = sent
  if (about !== id) return noAnswer('is about another verification')
  if (!RESULTS.has(result)) return noAnswer('has no result')
  const words = reasonIn(reason)
  const facts = evidenceIn(evidence)
  if (words === null || facts === null) return noAnswer('is not of the form')
  return { status: result as 'pass' | 'fail' | 'review', evidence: facts, reason: words }
}

const noAnswer = (how: string): Answer => ({ status: 'unavailable', reason: `What the verifier answered ${how}.` })

const isRecord = (sent: unknown): sent is Record<string, unknown> =>
  typeof sent === 'object' && sent !== null && !Array.isArray(sent)

function reasonIn(sent: unknown): string | null {
  if (sent === null) return 'The verifier gave no reason.'
  if (typeof sent !== 'string' || sent.length > VALUE_MAX) return null
  return maskCards(seenText(sent) ?? 'The verifier gave no reason.')
}

function evidenceIn(sent: unknown): Record<string, Scalar> | null {
  if (sent === null) return {}
  if (!isRecord(sent)) return null
  const entries = Object.entries(sent)
  if (entries.length > EVIDENCE_MAX) return null
  const read = entries.flatMap(([name, value]) => {
    const kept = NAME.test(name) ? scalarIn(value) : undefined
    return kept === undefined ? [] : [[name, kept] as const]
  })
  return read.length === entries.length ? Object.fromEntries(read) : null
}

function scalarIn(value: unknown): Scalar | undefined {
  if (typeof value === 'string') return value.length <= VALUE_MAX ? maskCards(value.replaceAll('\0', '')) : undefined
  if (typeof value === 'boolean' || value === null) return value
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
