// What a wallet is that its owner has said nothing about, for tests that make wallets without a database.
import type { Wallet, WalletSettings } from '../../src/domain/wallet/wallet.ts'

export const PLAIN_WALLET: WalletSettings & Pick<Wallet, 'isLow'> = {
  label: null,
  isDefault: true,
  status: 'open',
  lowMinor: null,
  isLow: false,
  metadata: {},
}
