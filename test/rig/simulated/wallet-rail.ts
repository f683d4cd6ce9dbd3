// Moves between wallets of the simulation: the gateway's own channel, whose rail is the write path itself.
import type { WalletDeps } from '../../../src/connectors/wallet/wallet.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import type { Execute } from '../../../src/engine/command-request.ts'
import type { Tables } from '../memory-store/tables.ts'

/** Credits as app/accounts/credits.ts does, with the owner of a wallet looked up in maps. */
export function creditMemory(tables: Tables, execute: Execute): WalletDeps {
  const ownerOf = (walletId: string) => [...tables.wallets.values()].find(({ id }) => id === walletId)
  return {
    credit: async (walletId, { amountMinor, currency, reference, notAfter, isInTime }) => {
      const owner = ownerOf(walletId)
      if (!owner) return 'no such wallet'
      const { lane, accountId } = owner
      const credit = { walletId, amountMinor, currency, reference, source: 'clearing:wallet', approval: null } as const
      const answer = await execute({
        lane,
        accountId,
        keyId: null,
        idempotency: null,
        notAfter,
        ...(isInTime && { isInTime }),
        command: { verb: 'credit', ...credit },
      })
      if (!isRefusal(answer)) return 'credited'
      if (answer.code === 'request_timeout') return 'not now'
      return answer.code === 'wallet_closed' ? 'wallet closed' : 'other currency'
    },
    isCredited: async (walletId, reference) => {
      const owner = ownerOf(walletId)
      return owner !== undefined && tables.references.has(`${owner.accountId}/${reference}`)
    },
    // No payer pays from a wallet here.
    pay: async () => 'no such contract',
    isPaid: async () => false,
  }
}
