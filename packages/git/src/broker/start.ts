import type { Socket } from 'node:net'
import { PassThrough, type Readable, type Writable } from 'node:stream'
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
  signal?: AbortSignal
  /**
   * Before it is killed, git's input is closed and it has a second to clean up: a signal would
   * leave the quarantine of a push.
   */
  graceful?: boolean
  /** Waits for one of the slots shared by short-lived processes; see `createSlots`. */
  queued?: boolean
}

/** Starts git processes through the broker. */
export interface Spawner {
  readonly count: number
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

// From closing the input to SIGTERM, and from there to SIGKILL.
const inputGraceMs = 1000
const killGraceMs = 2000
/** A process that was killed is gone by then, even if its exit was never reported. */
const closeLimitMs = inputGraceMs + killGraceMs + 2000

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
    run.reason ??= exit.reason
    // After a normal exit the streams may still have data in flight.
    if (!started && run.reason) {
      stdout.cancel(errorOf(run.reason, exit.stderr))
      stdin?.cancel(errorOf(run.reason, exit.stderr))
    }
    resolve(run.reason ? { ...exit, reason: run.reason } : exit)
  })
  const location = options.repository ? [`--git-dir=${options.repository}`] : []
  const env = options.env ?? {}
  const tokens = stdin ? { stdout: stdout.token, stdin: stdin.token } : { stdout: stdout.token }
  host.send({ kind: 'start', id, binary, args: [...location, ...options.args], env, ...tokens })
  return run
}

function end(run: Run, reason: EndReason, graceful: boolean): void {
  if (run.ended || run.reason) return
  run.reason = reason
  const signal = (name: 'SIGTERM' | 'SIGKILL') => {
    if (!run.ended) run.host.send({ kind: 'kill', id: run.id, signal: name })
  }
  const wait = graceful ? inputGraceMs : 0
  if (!graceful) signal('SIGTERM')
  const termTimer = graceful ? setTimeout(() => signal('SIGTERM'), wait) : undefined
  const final = setTimeout(() => signal('SIGKILL'), wait + killGraceMs)
  void run.exit.then(() => {
    clearTimeout(termTimer)
    clearTimeout(final)
  })
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

/** The caller may close its stream at any time; git then writes to nobody and exits normally. */
function ignoreBrokenPipe(socket: Socket): Readable {
  const output = socket.pipe(new PassThrough())
  output.on('error', () => {}).once('close', () => socket.resume())
  return output
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
  const { graceful = false } = options
  const streams: { stdout?: Readable; stdin?: Writable; socket?: Socket } = {}
  const kill = (reason: EndReason = 'closed') => {
    end(run, reason, graceful)
    streams.stdin?.destroy()
    streams.stdout?.destroy(reason === 'closed' ? undefined : errorOf(reason))
  }
  applyLimits(run, options, kill)
  try {
    const socket = await run.stdout.socket
    streams.socket = socket
    const stdin = run.stdin ? inputOf(await run.stdin.socket) : noInput()
    streams.stdin = stdin
    if (run.reason) throw errorOf(run.reason, run.stderr)
    const stdout = graceful ? ignoreBrokenPipe(socket) : socket
    streams.stdout = stdout
    watchOutput(run, stdout, kill)
    return { stdin, stdout, exit: run.exit, kill }
  } catch (error) {
    streams.socket?.destroy()
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
      for (const run of running) end(run, 'closed', false)
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
