import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A program to run until it exits. */
export interface ProcessOptions {
  file: string
  args: readonly string[]
  cwd?: string | undefined
  /** The whole environment; default: that of this process. */
  env?: Readonly<Record<string, string>> | undefined
  /** Written to standard input; default: empty. */
  input?: string | Uint8Array | undefined
}

export interface ProcessResult {
  /** The exit code. */
  code: number
  stdout: Buffer
  stderr: Buffer
}

export interface LaunchRequest extends ProcessOptions {
  id: number
}

export type LaunchReply = { id: number; failure: string } | ({ id: number } & ProcessResult)

interface Launcher {
  child: ChildProcess
  pending: Map<number, (reply: LaunchReply) => void>
}

let launcher: Launcher | undefined
let count = 0

/**
 * Runs a program until it exits, by way of a small launcher process (see `launcher.ts`).
 * Rejects if the program cannot be started or is killed by a signal.
 */
export async function runProcess(options: ProcessOptions): Promise<ProcessResult> {
  launcher ??= startLauncher()
  const { child, pending } = launcher
  count += 1
  const id = count
  const reply = await new Promise<LaunchReply>((resolve) => {
    pending.set(id, resolve)
    // The channel keeps this process alive only while a reply is pending.
    child.channel?.ref()
    child.send({ ...options, id } satisfies LaunchRequest)
  })
  pending.delete(id)
  if (pending.size === 0) child.channel?.unref()
  if ('failure' in reply) throw new Error(reply.failure)
  return reply
}

function startLauncher(): Launcher {
  const script = fileURLToPath(new URL('./launcher.ts', import.meta.url))
  const child = fork(script, {
    execArgv: ['--no-warnings'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const pending: Launcher['pending'] = new Map()
  child.on('message', (reply: LaunchReply) => pending.get(reply.id)?.(reply))
  child.once('exit', () => {
    launcher = undefined
    for (const [id, settle] of pending) settle({ id, failure: 'the launcher process exited' })
  })
  child.unref()
  child.channel?.unref()
  return { child, pending }
}
