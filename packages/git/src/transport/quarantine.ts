import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { exitError, type GitProcess } from '../broker/git-process.ts'
import { type Git, type Repository, runIn } from '../git.ts'
import { GitError } from '../git-error.ts'
import { isOid } from '../reading/object-reader.ts'
import { withScratch } from '../writing/scratch-objects.ts'

// What `git receive-pack` does with the objects of a push, without its six processes: one stores
// and checks them, one finds out whether any is missing. Ref updates are the caller's (`updateRefs`).

/** Options of a pack to receive. */
export interface PackOptions {
  /** Maximum bytes of the pack; 0 or absent: unlimited. */
  maxBytes?: number
  /** Called with what git prints: errors and, if wanted, progress. */
  onOutput?: (text: Buffer) => void
  showsProgress?: boolean
  /**
   * The stream goes on after the pack until its sender has the result, as over SSH: git knows where
   * the pack ends.
   */
  isDuplex?: boolean
}

/**
 * The objects of a push, kept apart from the repository's until they are accepted: a push that is
 * refused, fails or is interrupted leaves nothing behind.
 */
export interface Quarantine {
  /**
   * Stores and checks the objects of a pack, and reads the stream to its end.
   * @throws GitError `memory_limit`, `timeout`, or another for a pack that git refuses; the
   * stream's own error if that fails.
   */
  receive(pack: Readable, options?: PackOptions): Promise<void>
  /**
   * Whether the repository would have all objects that these reach; full ids.
   * @throws GitError `memory_limit`, `timeout`
   */
  isComplete(oids: readonly string[]): Promise<boolean>
  /** Whether a commit is an ancestor of another, or the same. */
  isAncestor(ancestor: string, descendant: string): Promise<boolean>
  /** Adds the objects to the repository, where no ref reaches them yet. */
  accept(): Promise<void>
}

/** What `git fsck` reports and is refused here, or is common enough in old repositories to allow. */
const severities = [
  'badFilemode=error',
  'badTimezone=ignore',
  'missingSpaceBeforeDate=ignore',
  'zeroPaddedFilemode=ignore',
]

/** How the last line of output starts, which names the stored pack. */
const packName = 'pack\t'
const keptErrorBytes = 4096

/** Creates a quarantine, and removes it with everything that was not accepted. */
export function withQuarantine<T>(
  git: Git,
  repository: Repository,
  work: (quarantine: Quarantine) => Promise<T>,
): Promise<T> {
  return withScratch(repository, ({ env, keep }) => {
    // These two have one thread each, so a time limit is one of processor time, and costs nothing.
    const timeoutMs = git.parts.limits.transfer.cpuSeconds * 1000
    const options = { timeoutMs, queued: false, env }
    return work({
      receive: (pack, packOptions = {}) => receive(git, repository, env, pack, packOptions),
      async isComplete(oids) {
        requireOids(oids)
        if (oids.length === 0) return true
        const args = ['rev-list', '--objects', '--stdin', '--not', '--branches', '--tags']
        const stdin = `${oids.join('\n')}\n`
        return succeeds(runIn(git, repository, [...args, '--quiet'], { ...options, stdin }))
      },
      isAncestor(ancestor, descendant) {
        requireOids([ancestor, descendant])
        const args = ['merge-base', '--is-ancestor', ancestor, descendant]
        return succeeds(runIn(git, repository, args, options))
      },
      accept: () => keep(new Set()),
    })
  })
}

function requireOids(oids: readonly string[]): void {
  if (!oids.every(isOid)) throw new GitError('invalid', 'a full object id is required')
}

const answers: readonly string[] = ['failed', 'not_found', 'corrupt']

/** False if git ends with an error; one for another reason than what it found is thrown. */
async function succeeds(run: Promise<unknown>): Promise<boolean> {
  try {
    await run
    return true
  } catch (error) {
    if (error instanceof GitError && answers.includes(error.code)) return false
    throw error
  }
}

async function receive(
  git: Git,
  repository: Repository,
  env: Record<string, string>,
  pack: Readable,
  { maxBytes = 0, onOutput, showsProgress = false, isDuplex = false }: PackOptions,
): Promise<void> {
  const strict = `--strict=${severities.join(',').toLowerCase()}`
  const args = ['index-pack', '--stdin', '--fix-thin', strict]
  if (showsProgress) args.push('--show-resolving-progress')
  if (maxBytes > 0) args.push(`--max-input-size=${Math.floor(maxBytes)}`)
  const process = await git.parts.spawner.start({
    args,
    repository: repository.path,
    env,
    limits: git.parts.limits.transfer,
    input: true,
    mergeErrors: true,
  })
  const messages = holdUntilEnd(pack, onOutput)
  // Its sender reads while it sends.
  if (isDuplex) messages.pass()
  const fed = feed(pack, process, messages.drop)
  const output = splitOutput(messages.push)
  try {
    for await (const chunk of process.stdout) output.push(chunk)
  } catch (error) {
    throw (await fed) ?? error
  } finally {
    // The quarantine is removed next.
    await process.exit
  }
  const isDone = isDuplex && (await process.exit).code === 0
  const failure = isDone ? undefined : await fed
  if (failure !== undefined) throw failure
  messages.pass()
  const exit = await process.exit
  const stderr = output.end(exit.code === 0)
  if (exit.reason || exit.code !== 0) throw exitError('git index-pack', { ...exit, stderr })
}

/**
 * Holds what git prints until the pack has arrived: what it says of one that turns out to be cut is
 * no response, since the request itself is refused. The client reads nothing before that anyway.
 */
function holdUntilEnd(pack: Readable, onOutput: PackOptions['onOutput']) {
  let held: Buffer | undefined = Buffer.alloc(0)
  let isBroken = false
  const pass = () => {
    const text = held
    held = undefined
    if (text !== undefined && text.length > 0 && !isBroken) onOutput?.(text)
  }
  pack.once('end', pass)
  return {
    push(text: Buffer) {
      if (isBroken) return
      if (held === undefined) onOutput?.(text)
      else held = Buffer.concat([held, text]).subarray(-keptErrorBytes)
    },
    pass,
    drop() {
      isBroken = true
    },
  }
}

/** Sends a pack to git; resolves with the error if the sender fails, which kills git. */
async function feed(pack: Readable, process: GitProcess, onFailure: () => void): Promise<unknown> {
  // Before the end of git's input can be noticed.
  pack.once('error', onFailure)
  try {
    await pipeline(pack, process.stdin)
    return undefined
  } catch (error) {
    onFailure()
    process.kill('aborted')
    return error
  }
}

/**
 * Passes on what git prints, line by line, except for the name of the pack; `end` returns the last
 * of it.
 */
function splitOutput(onOutput: PackOptions['onOutput']) {
  let held: Buffer = Buffer.alloc(0)
  let tail: Buffer = Buffer.alloc(0)
  const pass = (text: Buffer) => {
    if (text.length === 0) return
    tail = Buffer.concat([tail, text]).subarray(-keptErrorBytes)
    onOutput?.(text)
  }
  return {
    push(chunk: Buffer) {
      held = Buffer.concat([held, chunk])
      const end = Math.max(held.lastIndexOf('\n'), held.lastIndexOf('\r')) + 1
      const name = held.indexOf(packName)
      const at = name === -1 ? end : Math.min(name, end)
      pass(held.subarray(0, at))
      held = held.subarray(at)
    },
    end(succeeded: boolean): string {
      if (!succeeded) pass(held)
      return tail.toString()
    },
  }
}
