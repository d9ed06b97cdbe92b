import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import type { Signature } from '../parsing/commit-parser.ts'
import { isOid } from '../reading/object-reader.ts'
import { readCommit } from '../reading/text-object.ts'
import { isValidBranchName } from '../refs/branch-name.ts'
import { updateRef, zeroOid } from '../refs/refs.ts'
import { addObjects, type NewObject, newObject } from './loose-objects.ts'
import { applyChange, type FileWrite, type TreeChange, TreeChangeError } from './tree-changes.ts'
import { openDraft, serializeDraft } from './tree-draft.ts'

/** An author, committer or tagger. */
export interface Identity {
  name: string
  email: string
  /** Default: now, in UTC. */
  date?: Date
  /** Offset of the person's clock in minutes east of UTC; default 0. */
  offsetMinutes?: number
}

/** Author, committer and message of a commit. */
export interface CommitMetadata {
  message: string
  author: Identity
  /** Default: the author. */
  committer?: Identity
}

/** A commit to create. */
export interface CommitRequest extends CommitMetadata {
  /** Full id of the commit whose tree is changed; absent: an empty tree. */
  base?: string | undefined
  /** Full ids. */
  parents: string[]
  changes: TreeChange[]
  /** Rejects changes that leave the tree unchanged; otherwise they create an empty commit. */
  mustChange?: boolean
}

/** Drops characters that would break a header line, as git itself does. */
function clean(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not stay
  const safe = text.toWellFormed().replace(/[\u0000-\u0020\u007f<>]+/g, ' ')
  const isDropped = (index: number) => /[.,:;"'\\\s]/.test(safe.charAt(index))
  let [start, end] = [0, safe.length]
  while (start < end && isDropped(start)) start += 1
  while (end > start && isDropped(end - 1)) end -= 1
  return safe.slice(start, end)
}

/** Formats a person with a timestamp as a header of a commit or tag. */
export function formatIdentity({ name, email, date, offsetMinutes = 0 }: Identity): string {
  const seconds = Math.max(0, Math.floor((date ?? new Date()).getTime() / 1000))
  const minutes = Math.abs(Math.trunc(offsetMinutes))
  const digits = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const offset = `${offsetMinutes < 0 ? '-' : '+'}${digits(minutes / 60)}${digits(minutes % 60)}`
  return `${clean(name) || 'unknown'} <${clean(email).replaceAll(' ', '')}> ${seconds} ${offset}`
}

/** The author or committer of a commit, with the original date and offset. */
export function identityOf({ name, email, date }: Signature): Identity {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(date) ?? []
  const offset = Number(hours ?? 0) * 60 + Number(minutes ?? 0)
  return { name, email, date: new Date(date), offsetMinutes: sign === '-' ? -offset : offset }
}

/** The object of a commit. Characters that a commit can't contain are dropped. */
export function buildCommitObject(
  tree: string,
  parents: string[],
  words: CommitMetadata,
): NewObject {
  const { author, committer = author } = words
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${formatIdentity(author)}`,
    `committer ${formatIdentity(committer)}`,
  ]
  const message = words.message.toWellFormed().replaceAll('\0', '')
  return newObject('commit', Buffer.from(`${lines.join('\n')}\n\n${message}`))
}

/**
 * Creates a commit that no ref reaches yet and returns its id; `updateRefs` moves a branch to it.
 * The changes apply all or none. Costs no process.
 * @throws TreeChangeError if a change can't apply, GitError `invalid` for an invalid id,
 * `not_found` if there is no base or no repository, `corrupt`.
 */
export async function createCommit(
  git: Git,
  repository: Repository,
  request: CommitRequest,
): Promise<string> {
  const { base, parents, changes } = request
  if (!parents.every(isOid)) throw new GitError('invalid', 'a full object id is required')
  const draft = await openDraft(git, repository, base)
  for (const change of changes) await applyChange(draft, change)
  const objects: NewObject[] = []
  const tree = serializeDraft(draft, objects)
  const before = base && (await readCommit(git, repository, base))
  if (request.mustChange && before && before.tree === tree) {
    throw new TreeChangeError('unchanged', changes[0]?.path ?? '')
  }
  const commit = buildCommitObject(tree, parents, request)
  await addObjects(git, repository, [...objects, commit])
  return commit.oid
}

/** Files to commit to a branch. */
export interface BranchCommit extends CommitMetadata {
  /** Without `refs/heads/`. */
  branch: string
  /** The branch's commit that the caller expects; undefined if the branch must not exist yet. */
  parent: string | undefined
  /** Added to, or replacing, the files of the parent. */
  files: FileWrite[]
}

/**
 * Commits files to a branch and returns the commit's id.
 * @throws GitError `conflict` if the branch is not at `parent`, `invalid` for a bad branch or path.
 */
export async function commitFiles(
  git: Git,
  repository: Repository,
  { branch, parent, files, ...words }: BranchCommit,
): Promise<string> {
  if (!isValidBranchName(branch)) throw new GitError('invalid', `not a branch name: ${branch}`)
  const oid = await createCommit(git, repository, {
    ...words,
    base: parent,
    parents: parent === undefined ? [] : [parent],
    changes: files.map((file) => ({ kind: 'write', ...file })),
  })
  await updateRef(git, repository, `refs/heads/${branch}`, oid, parent ?? zeroOid)
  return oid
}
