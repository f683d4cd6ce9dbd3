// A payer at the sandbox provider: agrees to a payment on the page that a rail of it sends payers to, as a browser would.
import { E_WALLETS } from '../../domain/payment/kinds.ts'
import { CommandFailed } from '../failures.ts'
import type { Payment } from '../contracts/payment-view.ts'

const TIMEOUT_MS = 5000

/** Whether the page is one of the sandbox provider's. A real rail's is for its payer alone. */
export function isSandboxPage(url: string): boolean {
  const [, folder, kind, payment, ...rest] = new URL(url).pathname.split('/')
  return folder === 'payer' && E_WALLETS.some((each) => each === kind) && Boolean(payment) && rest.length === 0
}

/** Where the contract's payer goes next; throws where that is no page of the sandbox provider. */
export function sandboxPageOf({ id, next_action: action }: Pick<Payment, 'id' | 'next_action'>): string {
  if (action?.type === 'redirect' && isSandboxPage(action.url)) return action.url
  throw new CommandFailed(
    `The payer of ${id} does not go on at the sandbox provider, so nobody here can pay. See: gateway payments get ${id}`,
  )
}

/** Presses "Pay". Throws where the page does not take it. */
export async function agreeAt(page: string): Promise<void> {
  const body = new URLSearchParams({ action: 'pay' })
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  // It sends the payer on, to the merchant; nobody goes there.
  const reply = await fetch(page, { method: 'POST', body, redirect: 'manual', signal })
  await reply.arrayBuffer()
  if (reply.status !== 303 && reply.status !== 200)
    throw new CommandFailed(`The provider's page ${page} answered with HTTP ${reply.status}.`)
}
