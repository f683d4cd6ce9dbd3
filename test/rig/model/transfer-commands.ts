// All that can be asked of one transfer in memory: each verb with what it may carry, each thing that a rail can say.
import type { TransferVerb } from '../../../src/domain/transfer/commands.ts'
import { type CommandAbout, COMMANDS, isAbout } from '../../../src/engine/command-table.ts'
import type { ReportTransfer, TransferCommand } from '../../../src/domain/transfer/commands.ts'
import type { Outcome } from '../../../src/domain/channel/outcome.ts'
import { type OneContract, TERMS_HASH } from './one-contract.ts'

const CONNECTOR = { notFoundFinalAfterMs: 1000, dedupeLifetimeMs: null, inquiry: true }

export type RailResult = Outcome['kind'] | 'not_found'

export const RAIL_RESULTS: readonly RailResult[] = [
  'not_sent',
  'accepted',
  'delivered',
  'failed',
  'returned',
  'unknown',
  'not_found',
]

/** All commands of a verb: for report, one for each thing a rail can say. */
/** Every verb that a known transfer contract can be asked, by the table of commands. */
export const TRANSFER_VERBS = Object.keys(COMMANDS).filter(
  (verb): verb is TransferVerb =>
    isAbout('transfer', { verb } as CommandAbout<'transfer'>) && !COMMANDS[verb as TransferVerb].opens,
)

export function commandsOf(verb: TransferVerb, one: OneContract): TransferCommand[] {
  const { id, terms } = one.contract
  const ownChannel = terms.channelId ?? 'rail'
  switch (verb) {
    case 'update':
      // What changes nothing moves nothing.
      return [terms, { ...terms, description: 'mended' }].map((mended) => ({
        verb,
        id,
        patch: () => ({ terms: mended, expiresInSeconds: null, preview: null, warnings: [] }),
      }))
    case 'issue':
      return [{ verb, id, preview: null }]
    case 'pay':
      return [{ verb, id, preview: null, walletId: null }]
    case 'cancel':
      return [
        { verb, id, reason: null, actor: 'account' },
        { verb, id, reason: 'why', actor: 'gateway' },
      ]
    case 'approve':
      return ['bea', 'cai', 'dan'].map((memberId) => ({ verb, id, termsHash: TERMS_HASH, memberId }))
    case 'reject':
      return [{ verb, id, termsHash: TERMS_HASH, memberId: 'bea', reason: 'no' }]
    case 'verify':
      return (['pass', 'pending'] as const).map((status) => ({
        verb,
        id,
        verificationId: id,
        next: (before) => ({ ...before, status }),
        by: null,
      }))
    case 'expire':
      return [{ verb, id }]
    case 'submit':
    case 'inquire':
      return [{ verb, id, leaseMs: 1000, connector: CONNECTOR }]
    case 'retry':
      return [
        { verb, id, channelId: null },
        { verb, id, channelId: ownChannel },
      ]
    case 'resolve':
      return (['delivered', 'failed'] as const).map((as) => ({ verb, id, as, evidence: 'a letter', operator: 'Ana' }))
    case 'report':
      return RAIL_RESULTS.flatMap((result) => [
        ...[0, 1].flatMap((off) => [
          reportOf(one, result, one.attempt ? one.attempt.fence - off : null),
          reportOf(one, result, null, (one.attempt?.number ?? 1) - off),
        ]),
        byCallback(reportOf(one, result, null)),
      ])
  }
}

/** The channel that has the attempt says it; the one that priced the contract, where there is none or an earlier one is meant. */
export function reportOf(
  one: OneContract,
  result: RailResult,
  fence: number | null,
  number = one.attempt?.number ?? 1,
): ReportTransfer {
  const outcome = { kind: result, reason: 'r', code: 'c', message: 'm', providerId: null } as Outcome
  const { id, terms } = one.contract
  const own = one.attempt?.number === number ? one.attempt.channelId : terms.channelId
  return { verb: 'report', id, number, channelId: own ?? 'rail', fence, outcome, connector: CONNECTOR }
}

export const byCallback = (command: ReportTransfer): ReportTransfer => ({ ...command, basis: 'callback' })
