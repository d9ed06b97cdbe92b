import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { readCommit } from '../history/history.ts'
import { type BlamedLines, createBlameParser } from '../parsing/blame-parser.ts'
import type { Commit } from '../parsing/commit-parser.ts'
import { isOid } from '../reading/object-reader.ts'
import { type StreamLimits, streamIn } from '../stream.ts'

/** Adjacent lines of a file and the commit that last changed them. */
export interface BlameRange {
  commit: Commit
  /** Without line breaks. */
  lines: string[]
}

/** A file at a commit. */
export interface BlamedFile {
  /** Full id. */
  commit: string
  path: string
}

async function blamedLines(
  git: Git,
  repository: Repository,
  { commit, path }: BlamedFile,
  limits: StreamLimits,
): Promise<BlamedLines[]> {
  const key = `${git.parts.scopeOf(repository.path)}blame ${commit} ${path}`
  const known = git.parts.cache.get(key) as BlamedLines[] | undefined
  if (known) return known
  const args = ['blame', '--porcelain', commit, '--', path]
  const parser = createBlameParser()
  let size = 0
  for await (const chunk of streamIn(git, repository, args, { ...limits, queued: true })) {
    parser.push(chunk)
    size += chunk.length
  }
  git.parts.cache.set(key, parser.ranges, 2 * size)
  return parser.ranges
}

/**
 * Finds the commit that last changed each line of a file, from the first line on, following
 * renames; cached.
 * @throws GitError `not_found` if the commit has no such file, `timeout`, `output_limit`,
 * `aborted`.
 */
export async function blameFile(
  git: Git,
  repository: Repository,
  file: BlamedFile,
  limits: StreamLimits = {},
): Promise<BlameRange[]> {
  if (!isOid(file.commit) || file.path === '') {
    throw new GitError('invalid', 'a full object id and a path are required')
  }
  const ranges = await blamedLines(git, repository, file, limits)
  const oids = [...new Set(ranges.map(({ oid }) => oid))]
  const commits = await Promise.all(oids.map((oid) => readCommit(git, repository, oid)))
  const byOid = new Map(oids.map((oid, index) => [oid, commits[index]]))
  return ranges.map(({ oid, lines }) => {
    const commit = byOid.get(oid)
    if (!commit) throw new GitError('corrupt', `commit ${oid} is missing`)
    return { commit, lines }
  })
}
