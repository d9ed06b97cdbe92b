import { defineConfig } from 'vitest/config'

const conditions = ['@stithy/source']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['{packages,apps}/*/{src,test}/**/*.test.ts', 'bench/src/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    reporters: ['default', './vitest.reporter.ts'],
    // One for each processor: most of a test's time it waits for git and the database.
    maxWorkers: '100%',
    // Each worker imports the server once and runs many files, so no file may leave global state
    // changed.
    isolate: false,
    // A larger young generation: fewer collections for a few megabytes more.
    execArgv: ['--max-semi-space-size=32'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
