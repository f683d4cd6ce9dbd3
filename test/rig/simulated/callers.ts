// The callers of the simulation: each request has an idempotency key, and is repeated under it until it is answered.
import { openCheckoutTokens } from '../../../src/app/payments/checkout-tokens.ts'
import { runLeased } from '../../../src/app/payments/collections.ts'
import { passOn } from '../../../src/engine/crash-points.ts'
import type { Contract } from '../../../src/domain/contract/contract.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import { currentAttempt, type Payment } from '../../../src/domain/payment/payment.ts'
import type { PatchedDraft } from '../../../src/domain/transfer/commands.ts'
import { NO_RECIPIENT, type Terms } from '../../../src/domain/transfer/transfer.ts'
import type { CommandRequest } from '../../../src/engine/command-request.ts'
import { LEASE_MS } from './channels.ts'
import type { Step } from './story.ts'
import { type Ask, askLife, type Life, type Owner, type World } from './world.ts'

type Made = { readonly command: CommandRequest['command']; readonly id: string | null }

/** Has a gateway be asked under a new key. `make` makes the command anew for each try, with the id of what it makes. */
function askFor(world: World, life: Life, owner: Owner, make: (keyDigest: string) => Made): void {
  const keyHash = world.newId(owner, null)
  const digest = keyHash.replaceAll('-', '').slice(-11)
  const idempotency = { keyHash, fingerprint: keyHash }
  const { lane, accountId, keyId } = owner
  const ids: string[] = []
  const ask: Ask = {
    ids,
    life: null,
    answer: null,
    make: () => {
      const { command, id } = make(digest)
      if (id !== null) ids.push(id)
      return { lane, accountId, keyId, idempotency, command }
    },
  }
  world.asks.push(ask)
  askLife(life, ask)
}

/** The same request again: its answer was lost, or its caller is not sure. */
export const askAgain = (life: Life, ask: Ask): void => askLife(life, ask)

/** Another request under the same key. */
export function misuseKey(life: Life, ask: Ask): void {
  const request = ask.make()
  if (request.idempotency === null) return
  const { keyHash } = request.idempotency
  void life.execute({ ...request, idempotency: { keyHash, fingerprint: keyHash.replace(/^.{8}/, 'ffffffff') } })
}

const DEPOSIT_MINOR = 1000n

/** Money from outside comes into a wallet, once for each reference. */
export function deposit(life: Life, { lane, accountId, walletIds }: Owner, reference: string): void {
  const credit = { walletId: walletIds[0] ?? '', amountMinor: DEPOSIT_MINOR, currency: 'PHP', reference }
  const command = { verb: 'credit', ...credit, source: 'external', approval: null } as const
  void life.execute({ lane, accountId, keyId: null, idempotency: null, command })
}

const termsOf = (minor: number, channelId: string | null): Terms => ({
  amountMinor: BigInt(minor),
  currency: 'PHP',
  issuedTo: null,
  description: null,
  deliverable: null,
  recipient: null,
  channelId,
})

export function askForTransfer(world: World, life: Life, owner: Owner, step: Extract<Step, { do: 'create' }>): void {
  const { channel, minor, seconds } = step
  const others = world.owners.filter((each) => each !== owner)
  const payee = others[step.owner % others.length]
  const walletId = payee?.walletIds[minor % 3 === 0 ? 1 : 0] ?? ''
  const terms = termsOf(minor, channel)
  const isToWallet = channel === 'wallet' && payee !== undefined
  const named = isToWallet
    ? {
        terms: { ...terms, recipient: { ...NO_RECIPIENT, wallet: walletId } },
        payee: {
          walletId,
          owner: {
            accountId: payee.accountId,
            livemode: false,
            currency: 'PHP',
            status: 'open',
            name: 'Test',
          } as const,
        },
      }
    : { terms }
  const rest = { livemode: false, expiresInSeconds: seconds, preview: null, warnings: [], pays: null } as const
  askFor(world, life, owner, (digest) => {
    const id = world.newId(owner, digest)
    return { id, command: { verb: 'create_transfer', id, ...rest, ...named } }
  })
}

export function askForPayment(
  world: World,
  life: Life,
  owner: Owner,
  step: Extract<Step, { do: 'create payment' }>,
): void {
  const { channel, minor, seconds } = step
  const walletId = (minor % 7 === 0 ? owner.walletIds[1] : null) ?? null
  const rest = { livemode: false, returnUrl: null, method: null, preview: null, warnings: [], leaseMs: LEASE_MS }
  askFor(world, life, owner, (digest) => {
    const id = world.newId(owner, digest)
    const terms = termsOf(minor, channel)
    return { id, command: { verb: 'create_payment', id, walletId, terms, expiresInSeconds: seconds, ...rest } }
  })
}

const dearer = (terms: Terms): PatchedDraft => ({
  terms: { ...terms, amountMinor: terms.amountMinor + 100n },
  expiresInSeconds: null,
  preview: null,
  warnings: [],
})

type About = Extract<Step, { readonly contract: number }>

export function askAbout(world: World, life: Life, contract: Contract, step: Exclude<About, { do: 'choose' }>): void {
  const owner = world.owners.find(({ accountId }) => accountId === contract.accountId)
  if (owner) askFor(world, life, owner, () => commandAbout(world, owner, contract, step))
}

function commandAbout(world: World, owner: Owner, contract: Contract, step: Exclude<About, { do: 'choose' }>): Made {
  const { id } = contract
  switch (step.do) {
    case 'mend':
      return { id: null, command: { verb: 'update', id, patch: dearer } }
    case 'issue':
      return { id: null, command: { verb: 'issue', id, preview: null } }
    case 'pay':
      return { id: null, command: { verb: 'pay', id, preview: null, walletId: null } }
    case 'cancel':
      return { id: null, command: { verb: 'cancel', id, reason: null, actor: 'account' } }
    case 'retry':
      return { id: null, command: { verb: 'retry', id, channelId: null } }
    case 'refund': {
      const transferId = world.newId(owner, null)
      const amount =
        step.share === 0 || contract.kind !== 'payment'
          ? null
          : Number((contract.paidMinor * BigInt(step.share)) / 10n) / 100
      const isCode = contract.terms.channelId === 'code'
      const route = isCode ? { channelId: 'quick', recipient: { name: 'Ana Reyes' } } : null
      const rest = { amount, reason: null, route, allowed: 'may pay' } as const
      return { id: transferId, command: { verb: 'refund', id, transferId, ...rest } }
    }
  }
}

const CHECKOUT = openCheckoutTokens([Buffer.alloc(32, 7)])

/** Nobody stops a channel here. */
const NO_FREEZES = { has: () => false, paysNothing: () => false, look: async () => undefined }

export const paymentDeps = ({ connectors }: Pick<Life, 'connectors'>) => ({
  connectors,
  freezes: NO_FREEZES,
  leaseMs: LEASE_MS,
  checkout: CHECKOUT,
  checkoutUrl: (contractId: string) => `http://127.0.0.1/pay/${contractId}`,
  // No payer pays from a wallet here.
  payersTransfer: async () => null,
  crashPoint: passOn,
})

/** A payer chooses a method; whoever took the request calls the rail at once. */
export function chooseMethod(world: World, life: Life, payment: Contract, kind: 'gcash' | 'qr'): void {
  const { lane, accountId, id } = payment
  const method = { kind, details: kind === 'qr' ? { scheme: 'qrph' } : {}, secret: null } as const
  const command = { verb: 'choose', id, method, actor: 'payer', leaseMs: LEASE_MS } as const
  const before = payment.kind === 'payment' ? payment.attempts.length : 0
  void life.execute({ lane, accountId, keyId: null, idempotency: null, command }).then((result) => {
    if (isRefusal(result) || !('contract' in result) || !result.job) return undefined
    const chosen: Payment = result.contract
    if (chosen.attempts.length === before) return undefined
    const waiting = { answersFor: null, secret: null, begun: currentAttempt(chosen), isInTime: () => true }
    return runLeased({ execute: life.execute, payments: paymentDeps(life) }, chosen, result.job, waiting)
  })
}
