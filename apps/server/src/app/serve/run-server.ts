import { ConfigError, loadConfig } from '../../platform/config/config.ts'
import { limitThreadHeaps } from '../../platform/threads/thread-heaps.ts'
import type { FirstStart } from '../ensure-root.ts'
import { DataFolderError } from '../open-app.ts'
import { type RunningServer, serve } from './serve.ts'

/** Runs until SIGTERM or SIGINT; a failed start ends with a message and status 1. */
export async function runServer(
  flags: Record<string, unknown>,
  file: string | undefined,
): Promise<void> {
  // Files that the server writes are for its own user and group.
  process.umask(0o027)
  limitThreadHeaps()
  let running: RunningServer
  let firstStart: FirstStart | undefined
  try {
    running = await serve(loadConfig({ flags, env: process.env, file }), (secrets) => {
      firstStart = secrets
    })
  } catch (error) {
    // They are valid from now on, and shown only once.
    if (firstStart !== undefined) printSecrets(firstStart)
    process.stderr.write(`${startFailure(error)}\n`)
    process.exitCode = 1
    return
  }
  const stopped = stopOnSignal(running)
  process.stdout.write(`Stithy is running on ${running.address}\n`)
  if (firstStart !== undefined) printSecrets(firstStart)
  await stopped
}

/** What the operator reads when the start of a server or worker failed. */
export function startFailure(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DataFolderError) return error.message
  if (error instanceof Error && 'code' in error) {
    if (error.code === 'EADDRINUSE') {
      return `The address is taken by another program: ${error.message}. Choose another with --port.`
    }
    if (error.code === 'EACCES') return `Not permitted: ${error.message}`
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Shown once: only hashes are stored. */
function printSecrets({ password, token }: FirstStart): void {
  const lines = ['', 'First start: the administrator is "root".']
  if (password !== undefined) lines.push(`  password  ${password}`)
  if (token !== undefined) lines.push(`  token     ${token}`)
  lines.push('These are shown only now. Keep them safe.', '')
  process.stdout.write(`${lines.join('\n')}\n`)
}

/**
 * Resolves once it has stopped, after SIGTERM or SIGINT. Called before the start is announced: who
 * reads that may send a signal at once, and without a listener it would end the process.
 */
export function stopOnSignal(running: { stop: () => Promise<void> }): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false
    const stop = () => {
      if (stopping) return
      stopping = true
      running
        .stop()
        .catch((error: unknown) => {
          process.stderr.write(`${String(error)}\n`)
          process.exitCode = 1
        })
        .finally(resolve)
    }
    process.once('SIGTERM', stop)
    process.once('SIGINT', stop)
  })
}
