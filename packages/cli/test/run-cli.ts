import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import type { Registry } from '@stithy/client'
import { gadgetRegistry } from '@stithy/client/testing'
import { buildProgram, type CliIo, runProgram } from '../src/index.ts'

/** The result of one run of the program. */
export interface Run {
  code: number
  stdout: string
  stderr: string
  bytes: Buffer
}

export interface RunInput {
  env?: Record<string, string>
  stdin?: string
  /** Width of the terminal; the output is a pipe if undefined. */
  columns?: number
  registry?: Registry
  /** Simulates Ctrl-C. */
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

/** Runs the program in this process, with its own configuration folder. */
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
      now: () => Date.parse('2026-03-01T12:00:00Z'),
      interruptible: () => ({ signal: signal ?? new AbortController().signal, release: () => {} }),
    }
    const code = await runProgram(buildProgram(io), args, io)
    const bytes = stdout.bytes()
    return { code, stdout: bytes.toString(), stderr: stderr.bytes().toString(), bytes }
  }
}
