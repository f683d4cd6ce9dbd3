// How the tests run: real processes and real PostgreSQL, a file a process, once.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
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
