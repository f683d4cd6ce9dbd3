// The tests with the lanes on two servers (npm run test:servers): the short run's.
import { configDefaults, defineConfig, mergeConfig } from 'vitest/config'
import { LONG_TESTS } from './test/long.ts'
import { NOT_ON_SERVERS } from './test/rig/servers/left-out.ts'
import short, { withoutChain } from './vitest.config.ts'

process.env['TEST_ON_SERVERS'] = 'yes'
// So many that each end and each refusal is come to, which the model's test then asks for.
process.env['MODEL_RUNS'] ??= '160'
const { exclude: _exclude, ...shared } = short.test ?? {}

export default mergeConfig(
  { ...short, test: shared },
  defineConfig({
    test: {
      exclude: [...configDefaults.exclude, ...withoutChain(), ...LONG_TESTS, ...Object.keys(NOT_ON_SERVERS)],
      maxWorkers: 2,
    },
  }),
)
