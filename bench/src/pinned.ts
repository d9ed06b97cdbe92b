import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'

/** The server under test has one core to itself, the load generator the other. */
export const serverCore = 0
export const loadCore = 1

/** Whether processes can be bound to cores on this machine. */
export const canPin: boolean =
  availableParallelism() > 1 && spawnSync('taskset', ['-V'], { stdio: 'ignore' }).status === 0

export interface NodeOptions extends SpawnOptions {
  /** `any`: scheduled by the system. */
  core: number | 'any'
  /** Options of node itself, before the script. */
  execArgv?: readonly string[]
}

/** Starts a node script, bound to a core where supported. */
export function startNode(
  script: string,
  args: readonly string[],
  { core, execArgv = [], ...options }: NodeOptions,
): ChildProcess {
  const command = [process.execPath, ...execArgv, script, ...args]
  if (core !== 'any' && canPin) command.unshift('taskset', '-c', String(core))
  const [program = process.execPath, ...rest] = command
  return spawn(program, rest, { stdio: ['ignore', 'ignore', 'inherit'], ...options })
}

/** Stops a process that we started, and waits for its exit. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  const impatient = setTimeout(() => child.kill('SIGKILL'), 15_000)
  child.kill('SIGTERM')
  await ended
  clearTimeout(impatient)
}
