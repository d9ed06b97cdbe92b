// Starts programs on behalf of the tests. A fork copies the page tables of the whole parent process,
// which takes tens of milliseconds in a test worker of some hundred megabytes and about one here.
// Imports built-in modules only, to stay small.
import { execFile } from 'node:child_process'
import type { LaunchReply, LaunchRequest } from './run-process.ts'

function launch({ id, file, args, cwd, env, input }: LaunchRequest): void {
  const options = { cwd, env, maxBuffer: 1 << 28, encoding: 'buffer' } as const
  const child = execFile(file, args, options, (error, stdout, stderr) => {
    const code = error === null ? 0 : error.code
    const reply: LaunchReply =
      typeof code === 'number'
        ? { id, code, stdout, stderr }
        : { id, failure: error?.message ?? 'no exit code' }
    process.send?.(reply)
  })
  // A program may exit without reading its input (EPIPE).
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
}

process.on('message', launch)
process.on('disconnect', () => process.exit())
