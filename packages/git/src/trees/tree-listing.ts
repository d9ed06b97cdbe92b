import type { Git, Repository } from '../git.ts'
import { type ListedEntry, parseListing } from '../parsing/tree-parser.ts'
import { type StreamLimits, streamIn } from '../stream.ts'

const timeoutMs = 60_000
const maxOutputBytes = 128 * 1024 * 1024
const nul = 0

/**
 * Lists everything below a tree in batches: `ls-tree -r` with more arguments, the last of them a
 * full id. `folder` is the path of that tree.
 * @throws GitError `timeout` (default 60 s), `output_limit` over 128 MiB of names, `not_found`,
 * `aborted`.
 */
export async function* streamListing(
  git: Git,
  repository: Repository,
  args: string[],
  limits: StreamLimits = {},
  folder = '',
): AsyncGenerator<ListedEntry[], void> {
  const command = ['ls-tree', '-r', '-z', '--full-tree', ...args]
  const options = { timeoutMs, maxOutputBytes, ...limits, queued: true }
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of streamIn(git, repository, command, options)) {
    const data = Buffer.concat([rest, chunk])
    const end = data.lastIndexOf(nul) + 1
    yield parseListing(data.subarray(0, end), folder)
    rest = data.subarray(end)
  }
}

/** Like `streamListing`, all batches at once. */
export async function readListing(
  git: Git,
  repository: Repository,
  args: string[],
  folder = '',
): Promise<ListedEntry[]> {
  const entries: ListedEntry[] = []
  for await (const part of streamListing(git, repository, args, {}, folder)) {
    for (const entry of part) entries.push(entry)
  }
  return entries
}
