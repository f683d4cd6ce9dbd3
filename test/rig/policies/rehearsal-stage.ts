// Accounts with money, keys and members, made by the gateway's own use cases, in any number and quickly.
import { createAccount, createApiKey, type NewAccount } from '../../../src/app/accounts/accounts.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import { SCOPES } from '../../../src/domain/account/scopes.ts'
import type { Gateway } from '../../../src/main/assemble.ts'
import type { OwnedDatabase } from '../../../src/main/database/opened.ts'
import { openFunds } from '../../../src/main/operator/funding.ts'
import { joined, type Person } from '../../http/members/people.ts'
import { type Caller, callerOf } from '../../world-caller.ts'
import { openClient } from '../../world-client.ts'

export type RehearsalStage = {
  /** A new account with 100,000 PHP and as many USD, by each of its two keys. */
  readonly newAccount: () => Promise<readonly [Caller, Caller]>
  readonly approverOf: (caller: Caller) => Promise<Person>
  readonly close: () => Promise<void>
}

const CURRENCIES = ['PHP', 'USD'] as const
const FUNDS_MINOR = 100_000_00n

/** `database`: with the operators' login. Its gateway sends nothing meanwhile, so that what is cancelled comes back at once. */
export async function openRehearsalStage(gateway: Gateway, database: OwnedDatabase): Promise<RehearsalStage> {
  await gateway.app.ready()
  const { deps } = gateway
  const client = openClient(gateway.app)
  // One connection for all of them: to open one takes longer than a history.
  const funds = await openFunds(database)
  if (!funds) throw new Error('the operators have no login here')
  const keyOf = async (account: NewAccount) => {
    const wanted = { name: 'Test', livemode: false, scopes: SCOPES, expiresInSeconds: null }
    return callerOf(client, account, await createApiKey(deps.reader, account, wanted))
  }
  return {
    newAccount: async () => {
      const account = await createAccount(deps.reader, deps, { name: 'Test', livemode: false, currencies: CURRENCIES })
      for (const { id: walletId, currency } of account.wallets) {
        const reference = `opening ${walletId}`
        const found = await funds.credit({
          walletId,
          currency,
          reference,
          amountMinor: FUNDS_MINOR,
          source: 'external',
        })
        if (found === null || isRefusal(found)) throw new Error(`the ${currency} wallet could not be funded`)
      }
      return [await keyOf(account), await keyOf(account)]
    },
    approverOf: (caller) => joined({ gateway, ask: client.ask }, caller, 'approver'),
    close: funds.close,
  }
}
