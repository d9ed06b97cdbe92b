#!/usr/bin/env -S MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=1048576 node --min-semi-space-size=4 --max-semi-space-size=4 --heap-growing-percent=30 --no-node-snapshot
// Memory is collected early and returned: half as much is resident, at the same throughput.
// An older Node.js must get as far as the check, so nothing that it lacks is imported by name.
import module from 'node:module'
import { nodeVersionProblem } from './app/node-version.ts'
import { delayOptimization } from './platform/threads/optimization.ts'

const problem = nodeVersionProblem(process.versions.node)
if (problem === undefined) {
  // Compiled code is kept between runs: it halves the time to the first response.
  module.enableCompileCache()
  delayOptimization()
  const { runCli } = await import('./app/cli.ts')
  const code = await runCli(process.argv.slice(2))
  // A command may have reported its failure already.
  process.exitCode ??= code
} else {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
}
