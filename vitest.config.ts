// How the tests run: real processes and real PostgreSQL, a few files side by side, once.
import { createRequire } from 'node:module'
import { configDefaults, defineConfig } from 'vitest/config'

/** They need the binary of a chain, which there is for Linux on x64 only (test/rig/anvil). */
const CHAIN_TESTS = [
  'test/channels/crypto.test.ts',
  'test/channels/crypto-chain.test.ts',
  'test/channels/crypto-node.test.ts',
  'test/channels/crypto-in.test.ts',
  'test/channels/crypto-in-node.test.ts',
  'test/channels/crypto-in-collect.test.ts',
  'test/http/crypto.test.ts',
  'test/http/crypto-payments.test.ts',
  'test/http/crypto-payments-back.test.ts',
  'test/simulation/crash-points.test.ts',
]

function withoutChain(): string[] {
  try {
    createRequire(import.meta.url).resolve('@foundry-rs/anvil-linux-amd64/bin/anvil')
    return []
  } catch {
    console.warn(`SKIPPED: no binary of a test chain for this platform, so not tested: ${CHAIN_TESTS.join(', ')}`)
    return CHAIN_TESTS
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...withoutChain()],
    globalSetup: ['test/world-setup.ts'],
    pool: 'forks',
    // Most tests wait for sockets, clocks and the database: one more than the cores of a small machine keeps them busy.
    maxWorkers: 3,
    // Test files share the modules they import: reading them anew for each took a third of the time.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    allowOnly: false,
    watch: false,
    reporters: ['default'],
  },
})
