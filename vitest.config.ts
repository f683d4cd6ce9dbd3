// How the tests run: real processes and real PostgreSQL, a few files side by side, once.
import { createRequire } from 'node:module'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { LONG_TESTS } from './test/long.ts'

/** They need the binary of a chain, which there is for Linux on x64 only (test/rig/anvil). */
const CHAIN_TESTS = [
  'test/connectors/crypto/crypto.test.ts',
  'test/connectors/crypto/crypto-chain.test.ts',
  'test/connectors/crypto/crypto-listing.test.ts',
  'test/connectors/crypto/crypto-node.long.test.ts',
  'test/connectors/crypto/crypto-in.test.ts',
  'test/connectors/crypto/crypto-in-node.long.test.ts',
  'test/connectors/crypto/crypto-in-collect.test.ts',
  'test/connectors/crypto/crypto-in-away.test.ts',
  'test/connectors/crypto/crypto-in-large.test.ts',
  'test/connectors/crypto/crypto-listing-large.test.ts',
  'test/connectors/crypto/crypto-in-time.test.ts',
  'test/connectors/crypto/crypto-in-two-tokens.test.ts',
  'test/http/crypto/crypto.test.ts',
  'test/http/crypto/crypto-payments.long.test.ts',
  'test/http/crypto/crypto-crumbs.test.ts',
  'test/http/crypto/crypto-payments-back.test.ts',
  'test/http/crypto/crypto-price-end.test.ts',
  'test/http/crypto/late-reports.test.ts',
  'test/http/crypto/own-addresses.test.ts',
  'test/app/recovery/chain-payments.test.ts',
  'test/simulation/crash-points.long.test.ts',
  'test/http/crypto/crypto-recovery.long.test.ts',
]

export function withoutChain(): string[] {
  try {
    createRequire(import.meta.url).resolve('@foundry-rs/anvil-linux-amd64/bin/anvil')
    return []
  } catch {
    console.warn(`SKIPPED: no binary of a test chain for this platform, so not tested: ${CHAIN_TESTS.join(', ')}`)
    return CHAIN_TESTS
  }
}

/** They take longest, half of it waiting: whoever comes to them last would keep the run waiting alone. Longest first. */
const LONGEST = [
  'test/http/callers/tenants.test.ts',
  'test/simulation/model.test.ts',
  'test/app/batch.test.ts',
  'test/http/transfers/transfer-actions.test.ts',
  'test/domain/money/fees.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((each) => moduleId.endsWith(`/${each}`))
      return place === -1 ? LONGEST.length : place
    }
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...withoutChain(), ...LONG_TESTS],
    globalSetup: ['test/world-setup.ts'],
    pool: 'forks',
    // Most tests wait for sockets, clocks and the database: twice the cores of a small machine keeps them busy.
    maxWorkers: 4,
    // Test files share the modules they import: reading them anew for each took a third of the time.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Only what hangs comes near these: a machine that is busy with something else fails no test.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    teardownTimeout: 20_000,
    allowOnly: false,
    watch: false,
    reporters: ['default'],
  },
})
