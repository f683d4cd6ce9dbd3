// The long run (test/long.ts): the same world as the short one, with fewer side by side, for each of its tests starts processes
// of its own.
import { configDefaults, defineConfig, mergeConfig } from 'vitest/config'
import { LONG_TESTS } from './test/long.ts'
import short, { withoutChain } from './vitest.config.ts'

const { include: _include, exclude: _exclude, ...shared } = short.test ?? {}

export default mergeConfig(
  { ...short, test: shared },
  defineConfig({
    test: {
      include: LONG_TESTS,
      exclude: [...configDefaults.exclude, ...withoutChain()],
      maxWorkers: 3,
      testTimeout: 300_000,
      hookTimeout: 300_000,
    },
  }),
)
