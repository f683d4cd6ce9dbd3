// Well-known chains: those where coins are money, and those where they are given away. A node of one of them that
// is declared to be of the other mode would credit worthless coins as money, or pay trials with real ones.

/** By chain id. A chain that is not named here has the mode that its operator configures. */
const LIVE: ReadonlyMap<number, string> = new Map([
  [1, 'Ethereum'],
  [10, 'OP Mainnet'],
  [56, 'BNB Smart Chain'],
  [100, 'Gnosis'],
  [137, 'Polygon'],
  [324, 'ZKsync Era'],
  [2020, 'Ronin'],
  [8453, 'Base'],
  [42161, 'Arbitrum One'],
  [42220, 'Celo'],
  [43114, 'Avalanche'],
  [59144, 'Linea'],
])
const TEST: ReadonlyMap<number, string> = new Map([
  [97, 'BNB Smart Chain Testnet'],
  [1337, 'a local chain'],
  [17000, 'Holesky'],
  [31337, 'a local chain'],
  [43113, 'Avalanche Fuji'],
  [80002, 'Polygon Amoy'],
  [84532, 'Base Sepolia'],
  [421614, 'Arbitrum Sepolia'],
  [560048, 'Hoodi'],
  [11155111, 'Sepolia'],
  [11155420, 'OP Sepolia'],
])

/** What is wrong with a mode for a chain, with the fix; null when nothing is known to be. */
export function networkFault(chainId: number, mode: 'live' | 'test'): string | null {
  const live = LIVE.get(chainId)
  if (live !== undefined && mode === 'test') return `${live} moves real money: leave GATEWAY_CRYPTO_MODE out`
  const test = TEST.get(chainId)
  if (test !== undefined && mode === 'live')
    return `the coins of ${test} are worth nothing: set GATEWAY_CRYPTO_MODE=test, for test contracts`
  return null
}
