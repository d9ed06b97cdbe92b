import { randomBytes } from 'node:crypto'
import { isValidBranchName } from './branch-name.ts'
import { type Git, type Repository, runIn } from './git.ts'
import { GitError } from './git-error.ts'
import { isOid } from './object-reader.ts'
import { isValidPath } from './parsing/path-rules.ts'
import { updateRefs, zeroOid } from './refs.ts'

/** A person as a commit names them. */
export interface Identity {
  name: string
  email: string
  /** Default: now, in UTC. */
  date?: Date
  /** Minutes east of UTC of the person's clock; default 0. */
  offsetMinutes?: number
}

/** A file to write. */
export interface FileWrite {
  /** From the root of the repository. */
  path: string
  content: Buffer
  executable?: boolean
}

/** A commit to make. */
export interface CommitRequest {
  /** Without `refs/heads/`. */
  branch: string
  /** The branch's commit as the caller knows it; undefined when the branch must not exist yet. */
  parent: string | undefined
  /** Added to, or in place of, the files of the parent. */
  files: FileWrite[]
  message: string
  author: Identity
  /** Default: the author. */
  committer?: Identity
}

/** Drops what would break the line that it is written on, as git itself does. */
function clean(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not stay
  const safe = text.toWellFormed().replace(/[\u0000-\u0020\u007f<>]+/g, ' ')
  return safe.trim().replace(/^[.,:;"'\\\s]+|[.,:;"'\\\s]+$/g, '')
}

function formatIdentity({ name, email, date, offsetMinutes = 0 }: Identity): string {
  const seconds = Math.max(0, Math.floor((date ?? new Date()).getTime() / 1000))
  const minutes = Math.abs(Math.trunc(offsetMinutes))
  const digits = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const offset = `${offsetMinutes < 0 ? '-' : '+'}${digits(minutes / 60)}${digits(minutes % 60)}`
  return `${clean(name) || 'unknown'} <${clean(email).replaceAll(' ', '')}> ${seconds} ${offset}`
}

function data(content: Buffer): Buffer[] {
  return [Buffer.from(`data ${content.length}\n`), content, Buffer.from('\n')]
}

function quote(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`
}

function changeOf({ path, content, executable }: FileWrite): Buffer[] {
  const mode = executable ? '100755' : '100644'
  return [Buffer.from(`M ${mode} inline ${quote(path)}\n`), ...data(content)]
}

/** The commit in the language of `git fast-import`, which answers with its id. */
function streamOf(request: CommitRequest, ref: string): Buffer {
  const { author, committer = author, parent } = request
  const message = Buffer.from(request.message.toWellFormed().replaceAll('\0', ''))
  const head = `commit ${ref}\nmark :1\nauthor ${formatIdentity(author)}\n`
  return Buffer.concat([
    Buffer.from(`feature done\n${head}committer ${formatIdentity(committer)}\n`),
    ...data(message),
    Buffer.from(parent ? `from ${parent}\n` : ''),
    ...request.files.flatMap(changeOf),
    Buffer.from('\nget-mark :1\ndone\n'),
  ])
}

function check({ branch, parent, files }: CommitRequest): void {
  if (!isValidBranchName(branch)) throw new GitError('invalid', `not a branch name: ${branch}`)
  if (parent !== undefined && !isOid(parent)) throw new GitError('invalid', 'not an object id')
  const refused = files.find(({ path }) => !isValidPath(path))
  if (refused) throw new GitError('invalid', `not a path: ${refused.path}`)
}

/**
 * Writes files to a branch as one commit and gives its id. The branch moves only if it still is
 * where the caller thinks: otherwise GitError `conflict`. `invalid` for a bad branch or path.
 */
export async function commitFiles(
  git: Git,
  repository: Repository,
  request: CommitRequest,
): Promise<string> {
  check(request)
  // fast-import writes a ref of its own: the branch is then moved under compare-and-swap.
  const temporary = `refs/stithy/commit-${randomBytes(8).toString('hex')}`
  const args = ['fast-import', '--quiet', '--date-format=raw']
  const stdin = streamOf(request, temporary)
  const { stdout } = await runIn(git, repository, args, { stdin })
  const oid = stdout.toString('latin1').trim()
  const branch = `refs/heads/${request.branch}`
  try {
    await updateRefs(git, repository, [
      { ref: branch, newOid: oid, oldOid: request.parent ?? zeroOid },
      { ref: temporary, newOid: zeroOid },
    ])
  } catch (error) {
    await updateRefs(git, repository, [{ ref: temporary, newOid: zeroOid }]).catch(() => {})
    throw error
  }
  return oid
}
