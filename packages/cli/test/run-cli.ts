import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import type { Registry } from '@stithy/client'
import { gadgetRegistry } from '@stithy/client/testing'
import { buildProgram, type CliIo, runProgram } from '../src/index.ts'

/** What one run of the program left behind. */
export interface Run {
  code: number
  stdout: string
  stderr: string
  bytes: Buffer
}

export interface RunInput {
  env?: Record<string, string>
  stdin?: string
  /** Width of the terminal; without it the output is a pipe. */
  columns?: number
  registry?: Registry
  /** Stands for Ctrl-C. */
  signal?: AbortSignal
}

export type RunCli = (args: readonly string[], input?: RunInput) => Promise<Run>

function capture(columns: number | undefined): { stream: CliIo['stdout']; bytes: () => Buffer } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk))
      done()
    },
  })
  const terminal = columns === undefined ? {} : { isTTY: true, columns }
  return { stream: Object.assign(stream, terminal), bytes: () => Buffer.concat(chunks) }
}

export function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'stithy-cli-'))
}

/** Runs the program in this process, with a configuration folder of its own. */
export function cliIn(configDir: string): RunCli {
  return async (
    args,
    { env = {}, stdin = '', columns, registry = gadgetRegistry, signal } = {},
  ) => {
    const stdout = capture(columns)
    const stderr = capture(columns)
    const io: CliIo = {
      stdin: Readable.from([stdin]),
      stdout: stdout.stream,
      stderr: stderr.stream,
      env,
      configDir,
      version: '1.2.3',
      loadRegistry: async () => registry,
      interruptible: () => ({ signal: signal ?? new AbortController().signal, release: () => {} }),
    }
    const code = await runProgram(buildProgram(io), args, io)
    const bytes = stdout.bytes()
    return { code, stdout: bytes.toString(), stderr: stderr.bytes().toString(), bytes }
  }
}
