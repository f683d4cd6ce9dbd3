// Faults that are planted in the product, one at a time, to see that its tests would find them (mutants.ts). Each is one
// place of one file and what stands there instead; each is a mistake that has cost somebody else money.

export type Mutant = {
  readonly name: string
  /** What would happen to somebody's money or trust. */
  readonly harm: string
  readonly file: string
  /** Stands exactly once in the file. */
  readonly line: string
  readonly instead: string
  /** The test that has to fail. */
  readonly foundBy: string
}

const EXECUTION = 'src/domain/transfer/execution.ts'
const WRITE_PATH = 'src/engine/execute.ts'
const MODEL = 'test/simulation/model.test.ts'

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'answered-before-commit',
    harm: 'a caller hears of a payment that is not written when the machine stops, or is refused by the database',
    file: 'src/platform/db.ts',
    line: 'const settled = await sendAll(client, [...stored.statements, ...last], answerWithinMs)',
    instead: `void sendAll(client, [...stored.statements, ...last], answerWithinMs)
  return stored.value
  const settled: Settled = []`,
    foundBy: 'test/app/batch.test.ts',
  },
  {
    name: 'no-fence',
    harm: 'a worker that was thought dead comes back and overwrites what happened since',
    file: EXECUTION,
    line: 'if (isLate && !provesGone(contract, attempt, command)) return asItStands(contract)',
    instead: '',
    foundBy: MODEL,
  },
  {
    name: 'frozen-call',
    harm: 'a process that stood still sends money that others have given back meanwhile',
    file: 'src/app/jobs/lease-call-record.ts',
    line: 'if (!isInTime()) {',
    instead: 'if (isInTime === undefined) {',
    foundBy: 'test/app/jobs/frozen-processes.test.ts',
  },
  {
    name: 'doubt-is-failure',
    harm: 'a call without an answer gives the money back, and the rail pays all the same',
    file: EXECUTION,
    line: `    case 'unknown':
      return attempt.status === 'submitting'`,
    instead: `    case 'unknown':
      if (attempt.number > 0) return failed(contract, attempt, { code: 'unknown', message: outcome.reason }, facts)
      return attempt.status === 'submitting'`,
    foundBy: MODEL,
  },
  {
    name: 'absence-believed-at-once',
    harm: 'the rail knows the order a moment later, and it is sent a second time or refunded',
    file: EXECUTION,
    line: 'if (attempt.absentSince === null || nowMs < finalAt) {',
    instead: 'if (attempt.absentSince === null) {',
    foundBy: MODEL,
  },
  {
    name: 'new-reference-for-each-call',
    harm: 'the rail takes a repeated order for another one and pays twice',
    file: EXECUTION,
    line: `    status: 'submitting',
    fence: attempt.fence + 1,`,
    instead: `    status: 'submitting',
    reference: attemptReference(contract.id, 500 + attempt.fence),
    fence: attempt.fence + 1,`,
    foundBy: MODEL,
  },
  {
    name: 'expired-early',
    harm: 'a sweep ends contracts whose time has not come',
    file: 'src/domain/transfer/decide.ts',
    line: 'if (contract.expiresAt > facts.nowMs) return asItStands(contract)',
    instead: '',
    foundBy: MODEL,
  },
  {
    name: 'file-paid-again',
    harm: 'a file of rows is paid twice, where its answer was lost and it is sent again',
    file: 'src/app/accounts/changes.ts',
    line: '...(claim && isChange ? [noteCarriedOut(changer, claim, madeBy(change))] : []),',
    instead: '...(claim && isChange && nowMs < 0 ? [noteCarriedOut(changer, claim, madeBy(change))] : []),',
    foundBy: 'test/http/commands/broken-off.test.ts',
  },
  {
    name: 'key-without-request',
    harm: 'an idempotency key that is used for another request is answered with the first one’s contract',
    file: WRITE_PATH,
    line: 'if (known.fingerprint !== request.idempotency?.fingerprint) return idempotencyKeyReused()',
    instead: '',
    foundBy: 'test/http/requests/idempotency.test.ts',
  },
  {
    name: 'credited-twice',
    harm: 'one deposit from outside is booked for each time that it is told',
    file: WRITE_PATH,
    line: "if (state.credited.has(once)) return { kind: 'wallet', wallet, credited: false }",
    instead: '',
    foundBy: 'test/app/live-credits.test.ts',
  },
  {
    name: 'revoked-key-still-pays',
    harm: 'a stolen key works on in commands that were already on their way when it was revoked',
    file: 'src/engine/key-caps.ts',
    line: 'if (state.liveKeys.has(keyId)) return null',
    instead: 'if (state.liveKeys.size >= 0) return null',
    foundBy: 'test/http/callers/credentials.test.ts',
  },
  {
    name: 'mandate-not-asked',
    harm: 'an agent’s key spends beyond what its owner allowed',
    file: WRITE_PATH,
    line: `  if (bounded) return bounded
  noteSpent(state, request, decision)`,
    instead: '  noteSpent(state, request, bounded ? { ...decision } : decision)',
    foundBy: 'test/http/accounts/mandates.test.ts',
  },
  {
    name: 'limit-not-counted',
    harm: 'two hundred payments at once pass a limit that fits fifty',
    file: WRITE_PATH,
    line: 'count(state, request, before, after)',
    instead: 'if (before.version < 0) count(state, request, before, after)',
    foundBy: 'test/http/policies/limits.test.ts',
  },
  {
    name: 'maker-approves',
    harm: 'one person draws up a payment and approves it',
    file: 'src/domain/transfer/approvals.ts',
    line: 'if (!makersOf(contract, checks).has(memberId)) return null',
    instead: 'if (makersOf(contract, checks).size >= 0) return null',
    foundBy: 'test/http/approvals/approvals.test.ts',
  },
  {
    name: 'terms-not-bound',
    harm: 'an approval counts for other terms than those that were looked at',
    file: 'src/domain/transfer/approvals.ts',
    line: 'if (sent === termsHash) return null',
    instead: 'if (sent.length > 0) return null',
    foundBy: 'test/http/approvals/approvals.test.ts',
  },
  {
    name: 'refund-above-payment',
    harm: 'more is given back than was paid',
    file: 'src/domain/payment/refunds/refunds.ts',
    line: 'if (parsed.amountMinor <= leftMinor) return parsed.amountMinor',
    instead: 'if (parsed.amountMinor > 0n) return parsed.amountMinor',
    foundBy: 'test/http/payments/payments-refunds.test.ts',
  },
  {
    name: 'payment-of-another',
    harm: 'a payment of another account is refunded at the rail that both use',
    file: 'src/app/transfers/payouts.ts',
    line: 'if (instead) return instead',
    instead: 'if (instead && order.refundOf === null) return instead',
    foundBy: 'test/http/payments/events/others-payments.test.ts',
  },
  {
    name: 'event-believed',
    harm: 'money that a stolen secret made up is paid out to the account that it names',
    file: 'src/domain/payment/refunds/routes.ts',
    line: "if (receipt.reportedBy === 'gateway' || facts.adoptedReturn(receipt)) return false",
    instead: 'if (receipt.reportedBy.length > 0 || facts.adoptedReturn(receipt)) return false',
    foundBy: 'test/domain/payment/event-receipts.test.ts',
  },
  {
    name: 'money-booked-twice',
    harm: 'one payment that a provider tells of in two events is booked twice',
    file: 'src/domain/payment/receive.ts',
    line: 'const known = facts.booked(objectId)',
    instead: 'const known = facts.booked(`other-${objectId}`)',
    foundBy: 'test/domain/payment/payment-permutations.test.ts',
  },
  {
    name: 'amounts-in-floating-point',
    harm: '4.35 is booked as 4.34',
    file: 'src/domain/money/money.ts',
    line: "return parsed.scaled === 0n ? { fault: 'not_positive' } : { amountMinor: parsed.scaled }",
    instead: 'return { amountMinor: BigInt(Math.trunc(Number(value) * 10 ** digitsOf(currency))) }',
    foundBy: 'test/domain/money/money.test.ts',
  },
  {
    name: 'any-signature',
    harm: 'anybody may say that money has arrived',
    file: 'sdk/src/signature.ts',
    line: 'matches += timingSafeEqual(digest, candidate) ? 1 : 0',
    instead: 'matches += digest.length === candidate.length ? 1 : 0',
    foundBy: 'test/webhooks/signature.test.ts',
  },
  {
    name: 'one-good-address-is-enough',
    harm: 'a receiver’s name that also points into the own network reaches what is in there',
    file: 'src/platform/outbound.ts',
    line: 'if (!addresses.every((address) => guard.admits(address, port, protocol)))',
    instead: 'if (!addresses.some((address) => guard.admits(address, port, protocol)))',
    foundBy: 'test/platform/ssrf.test.ts',
  },
  {
    name: 'other-accounts-contract',
    harm: 'whoever knows an id reads and pays a contract of another account',
    file: 'src/store/contracts/contracts.ts',
    line: 'where c.lane = x.lane and c.account_id = x.account_id and c.id = x.id and $lane(c) offset 0',
    instead: 'where c.lane = x.lane and c.id = x.id and $lane(c) offset 0',
    foundBy: 'test/http/callers/tenants.test.ts',
  },
  {
    name: 'old-database-goes-on',
    harm: 'a gateway on last night’s backup pays what was paid since',
    file: 'src/domain/recovery/epoch.ts',
    line: "return found.position < mark.position ? 'older' : null",
    instead: 'return null',
    foundBy: 'test/domain/recovery/epoch.test.ts',
  },
]
