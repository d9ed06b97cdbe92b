import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { canPin, loadCore } from '../pinned.ts'

const run = promisify(execFile)

const env = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
}

/** Runs the git client to its end, on the core of the load generator. */
export async function runGit(folder: string, ...args: string[]): Promise<string> {
  const command = canPin ? ['taskset', '-c', String(loadCore), 'git'] : ['git']
  const [file = 'git', ...rest] = [...command, ...args]
  const { stdout } = await run(file, rest, { cwd: folder, env, maxBuffer: 2 ** 26 })
  return stdout.trim()
}

/** The duration of a git command in seconds. */
export async function timeGit(folder: string, ...args: string[]): Promise<number> {
  const start = performance.now()
  await runGit(folder, ...args)
  return (performance.now() - start) / 1000
}
