// Compiles the test token from its source, as solc and OpenZeppelin's package give it, offline.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const SOURCE = new URL('TestToken.sol', import.meta.url)

/** The token as the fixture holds it. */
export type CompiledToken = { readonly abi: readonly unknown[]; readonly bytecode: `0x${string}` }

type Output = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts: Readonly<
    Record<
      string,
      Readonly<
        Record<string, { readonly abi: unknown[]; readonly evm: { readonly bytecode: { readonly object: string } } }>
      >
    >
  >
}

/** The newest instructions that every chain in use has are those of Paris. */
export function compileToken(): CompiledToken {
  // Eight megabytes of compiler, which only this needs.
  const solc = require('solc') as { compile(input: string, callbacks: object): string }
  const input = {
    language: 'Solidity',
    sources: { 'TestToken.sol': { content: readFileSync(SOURCE, 'utf8') } },
    settings: {
      evmVersion: 'paris',
      optimizer: { enabled: true, runs: 200 },
      metadata: { bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  }
  const callbacks = { import: (path: string) => ({ contents: readFileSync(require.resolve(path), 'utf8') }) }
  const output = JSON.parse(solc.compile(JSON.stringify(input), callbacks)) as Output
  const faults = (output.errors ?? []).filter((error) => error.severity === 'error')
  if (faults.length > 0) throw new Error(faults.map((fault) => fault.formattedMessage).join('\n'))
  const contract = output.contracts['TestToken.sol']?.['TestToken']
  if (!contract) throw new Error('the compiler gave no TestToken')
  return { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` }
}
