import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { gitEnvironment } from '../environment.ts'
import { GitError } from '../git-error.ts'
import { type ChannelServer, openChannels } from './channels.ts'
import type { EndReason, GitExit } from './git-process.ts'
import { inheritableLimits } from './limits.ts'
import type { BrokerReport, BrokerRequest } from './protocol.ts'

/** The server's side of the broker; starts it on use: at first, and after a rest or a crash. */
export interface BrokerHost {
  channels: ChannelServer
  /** Process id of the current broker; undefined while there is none. */
  readonly pid: number | undefined
  /** The next process id in messages to and from this broker; unique among its users. */
  nextId(): number
  send(request: BrokerRequest): void
  /** Calls `ended` once, when process `id` ends. */
  watch(id: number, ended: (exit: GitExit) => void): void
  /** Kills running processes, stops the broker and removes the socket. */
  close(): Promise<void>
}

/** Logs the broker's crashes. */
export interface HostLogger {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** How the broker is run. */
export interface HostOptions {
  logger?: HostLogger | undefined
  /** Milliseconds without git processes after which the broker ends; default 60,000. */
  idleMs?: number | undefined
}

interface HostState {
  child: ChildProcess | undefined
  idleMs: number
  /** Runs while there are no git processes. */
  idle: NodeJS.Timeout | undefined
  closed: boolean
  watchers: Map<number, Watcher>
}

interface Watcher {
  ended(exit: GitExit): void
  /** Set once git runs. */
  pid?: number
}

/** The script next to this file, in the source tree as well as in the build. */
export function defaultBrokerScript(): string {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return fileURLToPath(new URL(`./main.${extension}`, import.meta.url))
}

function exitFor(reason: EndReason, stderr = ''): GitExit {
  return { code: null, signal: null, stderr, reason }
}

function complete(state: HostState, id: number, exit: GitExit): void {
  const watcher = state.watchers.get(id)
  state.watchers.delete(id)
  watcher?.ended(exit)
  if (state.watchers.size > 0) return
  clearTimeout(state.idle)
  state.idle = setTimeout(rest, state.idleMs, state).unref()
}

/** Frees the memory of a broker that has nothing to do. */
function rest(state: HostState): void {
  const { child } = state
  state.child = undefined
  child?.send({ kind: 'leave' } satisfies BrokerRequest, () => {})
}

function receive(state: HostState, report: BrokerReport): void {
  const { id } = report
  const watcher = state.watchers.get(id)
  if (report.kind === 'exit') complete(state, id, report)
  else if (report.kind === 'failure') complete(state, id, exitFor('unstarted', report.message))
  else if (watcher) watcher.pid = report.pid
}

/** The broker crashed: ends the processes that it started, which are orphans now. */
function killOrphans(state: HostState): void {
  for (const [id, { pid }] of [...state.watchers]) {
    try {
      if (pid) process.kill(-pid, 'SIGTERM')
    } catch {
      // It exited in the meantime.
    }
    complete(state, id, exitFor('broker'))
  }
}

function startBroker(
  state: HostState,
  script: string,
  socket: string,
  logger: HostLogger | undefined,
) {
  const shell = inheritableLimits(process.execPath)
  const child = fork(script, [socket], {
    cwd: '/',
    env: { ...gitEnvironment(process.env), ...shell.env },
    execPath: shell.file,
    // Small heap: it holds only the tails of stderr. Nearly all of its time is the system's, so
    // compiled code would take memory for nothing; but TypeScript is read with WebAssembly.
    execArgv: [
      ...shell.args,
      ...(script.endsWith('.ts') ? [] : ['--jitless']),
      '--max-semi-space-size=1',
      '--max-old-space-size=64',
      '--heap-growing-percent=30',
      '--no-warnings',
    ],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const crashed = (reason: unknown) => {
    if (state.child !== child) return
    state.child = undefined
    if (!state.closed) logger?.error({ reason }, 'the git broker ended; it starts again on demand')
    killOrphans(state)
  }
  child.on('message', (report: BrokerReport) => receive(state, report))
  child.once('error', crashed)
  child.once('exit', (code, signal) => crashed({ code, signal }))
  child.once('disconnect', () => crashed('disconnect'))
  return child
}

async function stop(state: HostState, channels: ChannelServer): Promise<void> {
  state.closed = true
  clearTimeout(state.idle)
  const { child } = state
  if (child?.connected) {
    const ended = once(child, 'exit')
    child.disconnect()
    await ended
  }
  await channels.close()
}

/** Opens the socket; the first request starts the broker. */
export async function openHost(
  script: string,
  { logger, idleMs = 60_000 }: HostOptions = {},
): Promise<BrokerHost> {
  const channels = await openChannels()
  const state: HostState = {
    child: undefined,
    idleMs,
    idle: undefined,
    closed: false,
    watchers: new Map(),
  }
  let closing: Promise<void> | undefined
  let lastId = 0
  return {
    channels,
    get pid() {
      return state.child?.pid
    },
    nextId() {
      lastId += 1
      return lastId
    },
    send(request) {
      if (state.closed) throw new GitError('failed', 'git is closed')
      state.child ??= startBroker(state, script, channels.path, logger)
      state.child.send(request, () => {})
    },
    watch(id, ended) {
      clearTimeout(state.idle)
      state.watchers.set(id, { ended })
    },
    close() {
      closing ??= stop(state, channels)
      return closing
    },
  }
}
