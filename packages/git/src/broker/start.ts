import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { GitError } from '../git-error.ts'
import type { Channel } from './channels.ts'
import {
  type EndReason,
  errorOf,
  type GitExit,
  type GitProcess,
  inputOf,
  noInput,
} from './git-process.ts'
import type { BrokerHost } from './host.ts'
import { type Command, type ProcessLimits, withLimits } from './limits.ts'
import type { Slots } from './slots.ts'

/** One invocation of git. */
export interface StartOptions {
  args: string[]
  /** Path of the bare repository (`--git-dir`); absent for commands without one. */
  repository?: string
  /** Added to the clean environment. */
  env?: Record<string, string>
  /** Whether git gets input; otherwise it reads from /dev/null. */
  input?: boolean
  /** Milliseconds after which git is killed; absent: never. */
  timeoutMs?: number
  /** Default: the memory limit that all processes inherit, and any processor time. */
  limits?: ProcessLimits
  signal?: AbortSignal
  /** Git's errors are part of `stdout`, in order; `stderr` is empty then. */
  mergeErrors?: boolean
  /**
   * Yields the processor to the server and to processes that requests wait for: for work that nobody
   * waits for.
   */
  background?: boolean
  /** Waits for one of the slots shared by short-lived processes; see `createSlots`. */
  queued?: boolean
}

/** Starts git processes through the broker. */
export interface Spawner {
  readonly count: number
  /** Processes that run now. */
  readonly running: number
  start(options: StartOptions): Promise<GitProcess>
  /**
   * Kills running processes and refuses to start others; resolves when all have exited, at the
   * latest after five seconds.
   */
  close(): Promise<void>
}

interface Run {
  id: number
  host: BrokerHost
  stdout: Channel
  stdin: Channel | undefined
  exit: Promise<GitExit>
  ended: boolean
  reason: EndReason | undefined
  /** The stderr of a process that was ended. */
  stderr: string
}

/** From SIGTERM to SIGKILL. */
const killGraceMs = 2000
/** A process that was killed is gone by then, even if its exit was never reported. */
const closeLimitMs = killGraceMs + 3000

function commandOf(binary: string, { args, repository, env = {}, limits }: StartOptions): Command {
  const location = repository ? [`--git-dir=${repository}`] : []
  const command = { file: binary, args: [...location, ...args], env }
  return limits ? withLimits(command, limits) : command
}

/** Signals by which the kernel ends a git that needs too much: folders nested too deeply end its stack. */
const reasons: Readonly<Record<string, EndReason>> = { SIGXCPU: 'processor_time', SIGSEGV: 'stack' }

function begin(host: BrokerHost, binary: string, options: StartOptions): Run {
  const id = host.nextId()
  const { promise, resolve } = Promise.withResolvers<GitExit>()
  const stdout = host.channels.expect()
  const stdin = options.input ? host.channels.expect() : undefined
  const exit = promise
  const run: Run = { id, host, stdout, stdin, exit, ended: false, reason: undefined, stderr: '' }
  host.watch(id, (exit) => {
    run.ended = true
    run.stderr = exit.stderr
    const started = exit.reason === undefined
    run.reason ??= exit.reason ?? reasons[exit.signal ?? '']
    // After a normal exit the streams may still have data in flight.
    if (!started && run.reason) {
      stdout.cancel(errorOf(run.reason, exit.stderr))
      stdin?.cancel(errorOf(run.reason, exit.stderr))
    }
    resolve(run.reason ? { ...exit, reason: run.reason } : exit)
  })
  const { file: program, args, env } = commandOf(binary, options)
  const { mergeErrors = false, background = false } = options
  const tokens = stdin ? { stdout: stdout.token, stdin: stdin.token } : { stdout: stdout.token }
  const settings = { mergeErrors, background }
  host.send({ kind: 'start', id, binary: program, args, env, ...settings, ...tokens })
  return run
}

function end(run: Run, reason: EndReason): void {
  if (run.ended || run.reason) return
  run.reason = reason
  const signal = (name: 'SIGTERM' | 'SIGKILL') => {
    if (!run.ended) run.host.send({ kind: 'kill', id: run.id, signal: name })
  }
  signal('SIGTERM')
  const final = setTimeout(() => signal('SIGKILL'), killGraceMs)
  void run.exit.then(() => clearTimeout(final))
}

function applyLimits(run: Run, options: StartOptions, kill: (reason: EndReason) => void): void {
  const { timeoutMs, signal } = options
  // A timer can't be shorter than a millisecond, and git may finish before a late one.
  if (timeoutMs && timeoutMs < 1) kill('timeout')
  const timer = timeoutMs ? setTimeout(() => kill('timeout'), timeoutMs) : undefined
  const abort = () => kill('aborted')
  signal?.addEventListener('abort', abort, { once: true })
  void run.exit.then(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  })
}

function watchOutput(run: Run, stdout: Readable, kill: GitProcess['kill']): void {
  stdout.once('close', () => {
    if (!stdout.readableEnded) kill('closed')
  })
  void run.exit.then(({ reason, stderr }) => {
    if (reason && reason !== 'closed') stdout.destroy(errorOf(reason, stderr))
  })
}

async function startProcess(run: Run, options: StartOptions): Promise<GitProcess> {
  const streams: { stdout?: Socket; stdin?: Writable } = {}
  const kill = (reason: EndReason = 'closed') => {
    end(run, reason)
    streams.stdin?.destroy()
    streams.stdout?.destroy(reason === 'closed' ? undefined : errorOf(reason))
  }
  applyLimits(run, options, kill)
  try {
    const stdout = await run.stdout.socket
    streams.stdout = stdout
    const stdin = run.stdin ? inputOf(await run.stdin.socket) : noInput()
    streams.stdin = stdin
    if (run.reason) throw errorOf(run.reason, run.stderr)
    watchOutput(run, stdout, kill)
    return { stdin, stdout, exit: run.exit, kill }
  } catch (error) {
    streams.stdout?.destroy()
    streams.stdin?.destroy()
    throw error
  }
}

/** A spawner of the given git binary. Rejects with a GitError if git can't be started. */
export function createSpawner(host: BrokerHost, binary: string, slots: Slots): Spawner {
  const running = new Set<Run>()
  let count = 0
  let closed = false
  return {
    get count() {
      return count
    },
    get running() {
      return running.size
    },
    async start(options) {
      const release = options.queued ? await slots.take() : undefined
      try {
        if (closed) throw new GitError('failed', 'git is closed')
        if (options.signal?.aborted) throw errorOf('aborted')
        count += 1
        const run = begin(host, binary, options)
        running.add(run)
        void run.exit.then(() => {
          running.delete(run)
          release?.()
        })
        return await startProcess(run, options)
      } catch (error) {
        release?.()
        throw error
      }
    },
    async close() {
      closed = true
      for (const run of running) end(run, 'closed')
      const limit = new AbortController()
      const { signal } = limit
      await Promise.race([
        Promise.all([...running].map(({ exit }) => exit)),
        delay(closeLimitMs, undefined, { signal }).catch(() => {}),
      ])
      limit.abort()
    },
  }
}
