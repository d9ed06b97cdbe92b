import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Registry } from '@stithy/client'

/** An input stream. */
export type Input = NodeJS.ReadableStream & { isTTY?: boolean }

/** An output stream; `columns` is the width of a terminal. */
export type Output = NodeJS.WritableStream & { isTTY?: boolean; columns?: number }

/** The period in which Ctrl-C aborts the command instead of the process. */
export interface Interruption {
  signal: AbortSignal
  /** Restores the default handling of Ctrl-C. */
  release: () => void
}

/** Everything outside the program that commands use; tests pass their own. */
export interface CliIo {
  stdin: Input
  stdout: Output
  stderr: Output
  env: Readonly<Record<string, string | undefined>>
  /** Holds `config.toml`. */
  configDir: string
  /** Shown by `--version`. */
  version: string
  /** The endpoints that commands call; loaded on demand. */
  loadRegistry: () => Promise<Registry>
  interruptible: () => Interruption
  /** Milliseconds since the epoch. */
  now: () => number
}

/** The streams, environment and signals of this process. */
export function processIo(version: string): CliIo {
  const { stdin, stdout, stderr, env } = process
  return {
    stdin,
    stdout,
    stderr,
    env,
    configDir: configFolder(env),
    version,
    loadRegistry: async () => (await import('@stithy/core')).contracts,
    interruptible,
    now: Date.now,
  }
}

function configFolder(env: NodeJS.ProcessEnv): string {
  const { STITHY_CONFIG_DIR: own, XDG_CONFIG_HOME: xdg, APPDATA: roaming } = env
  if (own) return own
  if (process.platform === 'win32' && roaming) return join(roaming, 'stithy')
  return join(xdg || join(homedir(), '.config'), 'stithy')
}

function interruptible(): Interruption {
  const controller = new AbortController()
  const stop = () => controller.abort()
  process.once('SIGINT', stop)
  // The listener stays: the last write may fail after the command is done.
  if (!process.stdout.listeners('error').includes(exitOnClosedPipe)) {
    process.stdout.on('error', exitOnClosedPipe)
  }
  return { signal: controller.signal, release: () => process.off('SIGINT', stop) }
}

/** A closed pipe (`| head`) is not a failure. */
function exitOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
}
