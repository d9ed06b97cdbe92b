import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const conditions = ['@stithy/source']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['{packages,apps}/*/{src,test}/**/*.test.ts', 'bench/src/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['./vitest.global-setup.ts'],
    reporters: ['default', './vitest.reporter.ts'],
    // Half of a test's time it waits for git and the disk.
    maxWorkers: 2 * availableParallelism(),
    // Each worker imports the server once and runs many files, so no file may leave global state
    // changed.
    isolate: false,
    // A larger young generation: fewer collections for a few megabytes more.
    execArgv: ['--max-semi-space-size=32'],
    // They end what hangs. What is waited for comes late on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
})
