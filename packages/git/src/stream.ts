import { errorOf, exitError, type GitProcess } from './broker/git-process.ts'
import type { StartOptions } from './broker/start.ts'
import type { Git, Repository } from './git.ts'

/** Limits of a command whose output is streamed. */
export interface StreamLimits {
  /** Milliseconds after which git is killed; absent: never. */
  timeoutMs?: number
  /** Bytes of output after which git is killed; absent: unlimited. */
  maxOutputBytes?: number
  /** Kills git when it is aborted. */
  signal?: AbortSignal
}

/**
 * Git's output in chunks. It ends normally only if git succeeded, or exited with an accepted code: a
 * failure, an exceeded limit and an abort are thrown as GitError. Leaving the loop ends git.
 */
export async function* chunksOf(
  process: GitProcess,
  what: string,
  maxOutputBytes = Number.POSITIVE_INFINITY,
  accept: readonly number[] = [],
): AsyncGenerator<Buffer, void> {
  let size = 0
  for await (const chunk of process.stdout) {
    size += chunk.length
    if (size > maxOutputBytes) {
      process.kill('output_limit')
      throw errorOf('output_limit')
    }
    yield chunk
  }
  const exit = await process.exit
  const { code, reason } = exit
  if (reason || code === null || (code !== 0 && !accept.includes(code))) throw exitError(what, exit)
}

/** How a command is started whose output is streamed. */
export interface StreamOptions
  extends StreamLimits,
    Pick<StartOptions, 'queued' | 'limits' | 'env'> {
  /** Exit codes besides 0 that are not failures. */
  accept?: readonly number[]
}

/** Whether an argument is the name of the command: settings (`-c`, `a.b=c`) come before it. */
function isCommand(arg: string): boolean {
  return !arg.startsWith('-') && !arg.includes('=')
}

/**
 * Runs git in a repository and streams its output as `chunksOf` does. The first read starts git.
 */
export async function* streamIn(
  git: Git,
  repository: Repository,
  args: string[],
  { maxOutputBytes, accept, ...options }: StreamOptions = {},
): AsyncGenerator<Buffer, void> {
  const process = await git.parts.spawner.start({ ...options, args, repository: repository.path })
  yield* chunksOf(process, `git ${args.find(isCommand)}`, maxOutputBytes, accept)
}
