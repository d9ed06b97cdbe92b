import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Registry } from '@stithy/client'

/** Where text comes from. */
export type Input = NodeJS.ReadableStream & { isTTY?: boolean }

/** Where text goes; `columns` is the width of a terminal. */
export type Output = NodeJS.WritableStream & { isTTY?: boolean; columns?: number }

/** The time in which Ctrl-C ends the command instead of the process. */
export interface Interruption {
  signal: AbortSignal
  /** Gives Ctrl-C back. */
  release: () => void
}

/** Everything of the outside world that commands use; tests hand in their own. */
export interface CliIo {
  stdin: Input
  stdout: Output
  stderr: Output
  env: Readonly<Record<string, string | undefined>>
  /** Holds `config.toml`. */
  configDir: string
  /** Shown by `--version`. */
  version: string
  /** The endpoints of `stithy api`; loaded only when they are needed. */
  loadRegistry: () => Promise<Registry>
  interruptible: () => Interruption
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
  // It stays: what was written last may fail after the command is done.
  if (!process.stdout.listeners('error').includes(leaveQuietly)) {
    process.stdout.on('error', leaveQuietly)
  }
  return { signal: controller.signal, release: () => process.off('SIGINT', stop) }
}

/** A reader that has seen enough (`| head`) is no failure. */
function leaveQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
}
