import type { Readable } from 'node:stream'
import { errorOf, exitError, type GitProcess } from './git-process.ts'
import type { Spawner, StartOptions } from './start.ts'

/** An invocation whose output is collected. */
export interface RunOptions extends StartOptions {
  /** Git's stdin. */
  stdin?: string | Buffer
  /** Bytes of output after which git is killed; default 64 MiB. */
  maxOutputBytes?: number
  /** Exit codes besides 0 that are not failures. */
  accept?: number[]
}

/** The output of a successful invocation. */
export interface RunResult {
  stdout: Buffer
  stderr: string
  code: number
}

const defaultTimeoutMs = 60_000
const defaultOutputBytes = 64 * 1024 * 1024

async function collect(process: GitProcess, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  const stdout: Readable = process.stdout
  await new Promise<void>((resolve, reject) => {
    stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) process.kill('output_limit')
      else chunks.push(chunk)
    })
    stdout.once('end', resolve)
    stdout.once('error', reject)
    stdout.once('close', () => reject(errorOf('closed')))
  })
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

/**
 * Runs git to its end and returns its output.
 * @throws GitError `failed`, `not_found`, `conflict` or `corrupt` depending on stderr, `timeout`
 * (default 60 s), `output_limit`, `aborted`.
 */
export async function run(spawner: Spawner, options: RunOptions): Promise<RunResult> {
  const input = options.stdin !== undefined
  const process = await spawner.start({
    timeoutMs: defaultTimeoutMs,
    queued: true,
    ...options,
    input,
  })
  if (input) process.stdin.end(options.stdin)
  const stdout = await collect(process, options.maxOutputBytes ?? defaultOutputBytes)
  const exit = await process.exit
  const { code, stderr, reason } = exit
  if (!reason && code !== null && (code === 0 || options.accept?.includes(code))) {
    return { stdout, stderr, code }
  }
  throw exitError(`git ${options.args[0]}`, exit)
}
