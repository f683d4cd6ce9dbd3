// The tests on a Citus cluster (npm run test:citus): the short run's, but those whose subject is a server that there is not.
import { configDefaults, defineConfig, mergeConfig } from 'vitest/config'
import { NOT_ON_CITUS } from './test/rig/citus/left-out.ts'
import { LONG_TESTS } from './test/long.ts'
import short, { withoutChain } from './vitest.config.ts'

process.env['TEST_ON_CITUS'] = 'yes'
const { exclude: _exclude, ...shared } = short.test ?? {}

export default mergeConfig(
  { ...short, test: shared },
  defineConfig({
    test: {
      exclude: [...configDefaults.exclude, ...withoutChain(), ...LONG_TESTS, ...Object.keys(NOT_ON_CITUS)],
      maxWorkers: 2,
      setupFiles: ['test/rig/citus/recorder.ts'],
    },
  }),
)
