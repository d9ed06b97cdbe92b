import { appendFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/**
 * Ends a run with one plain line that people and scripts can both read, and adds its counts to the file
 * that `STITHY_TEST_COUNTS` names, so that several runs can be summed up. Failures are written to the
 * file named after it with the suffix `.failures`: long logs are often truncated.
 */
export default class PlainReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    const failures: string[] = []
    for (const module of modules) {
      // A file that could not even be loaded has no tests to count, yet it failed.
      for (const { message } of module.errors())
        failures.push(`${module.relativeModuleId}\n${message}`)
      if (module.errors().length > 0) counts.failed += 1
      for (const test of module.children.allTests()) {
        const { state, errors = [] } = test.result()
        if (state !== 'pending') counts[state] += 1
        for (const { message, stack } of errors) {
          failures.push(`${module.relativeModuleId} > ${test.fullName}\n${message}\n${stack ?? ''}`)
        }
      }
    }
    const { passed, failed, skipped } = counts
    const file = process.env.STITHY_TEST_COUNTS
    if (file !== undefined) {
      appendFileSync(file, `${passed} ${failed}\n`)
      if (failures.length > 0) appendFileSync(`${file}.failures`, `${failures.join('\n')}\n`)
    }
    const tail = skipped > 0 ? `, ${skipped} skipped` : ''
    process.stdout.write(`\n${passed} passed, ${failed} failed${tail}\n`)
  }
}
