// Random operations of one account on a few contracts, many at a time. A contract that has ended makes room for a new
// one, so that there is always something to fight over.
import { askForAll, type Caller, type Contract } from './caller.ts'
import type { Dice } from './dice.ts'

export type Operations = {
  readonly statuses: Readonly<Record<string, number>>
  /** Answers that no caller should meet: 5xx, and what is no answer at all. */
  readonly faults: readonly string[]
  readonly completed: number
}

type Slot = { id: string | null }
type Shape = { readonly operations: number; readonly atOnce: number; readonly contracts: number }

const ENDED = ['completed', 'cancelled', 'expired']

/** Does as many operations as asked, `atOnce` at any time. Transfers go to `wallet`, or wait on a patient channel. */
export async function randomOperations(
  ask: Caller['ask'],
  dice: Dice,
  wallet: string,
  shape: Shape,
): Promise<Operations> {
  const slots: Slot[] = Array.from({ length: shape.contracts }, () => ({ id: null }))
  const statuses: Record<string, number> = {}
  const faults: string[] = []
  const completed = new Set<string>()
  let left = shape.operations
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const slot = dice.pick(slots)
      const [method, path, body, key] = operation(slot, dice, wallet)
      const reply = await ask(method, path, body, key).catch((fault: unknown) => String(fault))
      if (typeof reply === 'string') {
        faults.push(`${method} ${path}: ${reply}`)
        continue
      }
      statuses[reply.status] = (statuses[reply.status] ?? 0) + 1
      if (reply.status >= 500) faults.push(`${method} ${path}: ${reply.status} ${reply.code}`)
      const { contract } = reply
      if (contract && path === '/contracts/transfer') slot.id = contract.id
      if (contract?.status === 'completed') completed.add(contract.id)
      if (contract && slot.id === contract.id && ENDED.includes(contract.status)) slot.id = null
      if (
        reply.code === 'contract_completed' ||
        reply.code === 'contract_cancelled' ||
        reply.code === 'contract_expired'
      )
        slot.id = null
    }
  }
  await Promise.all(Array.from({ length: shape.atOnce }, worker))
  // What still waits on the patient channel is called back.
  const waiting = await askForAll<Contract>({ ask }, '/contracts/transfer?status=paid&channel=sandbox', 'contracts')
  await Promise.all(waiting.map(({ id }) => ask('DELETE', `/contracts/transfer/${id}`)))
  return { statuses, faults, completed: completed.size }
}

type Request = Parameters<Caller['ask']>

function operation({ id }: Slot, dice: Dice, wallet: string): Request {
  if (id === null) return creation(dice, wallet)
  const path = `/contracts/transfer/${id}`
  const key = dice.chance(0.3) ? `key ${dice.whole(1, 500)} ${id}` : undefined
  switch (dice.whole(1, 10)) {
    case 1:
      return ['GET', path]
    case 2:
      return ['GET', '/wallets']
    case 3:
      return ['PATCH', path, { amount: dice.whole(1, 50) }, key]
    case 4:
    case 5:
    case 6:
      return ['PUT', `${path}/issue`, undefined, key]
    case 7:
    case 8:
    case 9:
      return ['PUT', `${path}/pay`, undefined, key]
    default:
      return ['DELETE', path, { reason: 'by chance' }, key]
  }
}

function creation(dice: Dice, wallet: string): Request {
  const isInside = dice.chance(0.7)
  const body = {
    amount: dice.whole(1, 50),
    currency: 'PHP',
    channel: isInside ? 'wallet' : 'sandbox',
    recipient: { wallet },
    ...(dice.chance(0.2) ? { expires_in: 1 } : {}),
  }
  return ['POST', '/contracts/transfer', body]
}
