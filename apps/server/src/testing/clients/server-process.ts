import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Node arguments that run the program from source. */
export const fromSource = [
  '--conditions=@stithy/source',
  fileURLToPath(new URL('../../main.ts', import.meta.url)),
]

export interface ServerProcess {
  child: ChildProcess
  address: string
  /** All output so far. */
  output: () => string
  /** Sends a signal; resolves with the exit code, or the signal that ended the process. */
  end: (signal: NodeJS.Signals) => Promise<number | NodeJS.Signals>
}

export interface ProcessOptions {
  data: string
  env?: Record<string, string>
  args?: readonly string[]
  /** A command to run the server with, such as one that makes a mount first. */
  wrapper?: readonly string[]
  /** Node arguments that run the program; by default from source. */
  program?: readonly string[]
}

/** Runs `stithy serve` in a process of its own; resolves when it listens. */
export async function startServerProcess(options: ProcessOptions): Promise<ServerProcess> {
  const { child, output } = spawnServer(options)
  const address = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${output()}`)))
    child.stdout?.on('data', () => {
      const match = /running on (\S+)/.exec(output())
      if (match?.[1] !== undefined) resolve(match[1])
    })
  })
  return {
    child,
    address,
    output,
    end: (signal) => endProcess(child, signal),
  }
}

async function endProcess(
  child: ChildProcess,
  signal: NodeJS.Signals,
): Promise<number | NodeJS.Signals> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return child.exitCode ?? (child.signalCode as NodeJS.Signals)
}

/** Runs `stithy worker` in a process of its own; resolves when it takes jobs. */
export async function startWorkerProcess(
  options: ProcessOptions,
): Promise<Omit<ServerProcess, 'address'>> {
  const { child, output } = spawnServer(options, 'worker')
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the worker ended with ${code}: ${output()}`)))
    child.stdout?.on('data', () => {
      if (output().includes('running jobs')) resolve()
    })
  })
  return { child, output, end: (signal) => endProcess(child, signal) }
}

/** Runs `stithy serve` where it should fail to start; resolves with exit code and output. */
export async function runServerToEnd(
  options: ProcessOptions,
): Promise<{ code: number | null; output: string }> {
  const { child, output } = spawnServer(options)
  const [code] = await once(child, 'exit')
  return { code: code as number | null, output: output() }
}

function spawnServer(options: ProcessOptions, subcommand: 'serve' | 'worker' = 'serve') {
  const { data, env = {}, args = [], wrapper = [], program = fromSource } = options
  const command = [
    ...wrapper,
    process.execPath,
    ...program,
    subcommand,
    '--data',
    data,
    ...(subcommand === 'serve' ? ['--port', '0'] : []),
    ...args,
  ]
  const [file = '', ...rest] = command
  const child = spawn(file, rest, {
    env: { PATH: process.env.PATH ?? '', STITHY_LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
  return { child, output: () => Buffer.concat(chunks).toString() }
}
