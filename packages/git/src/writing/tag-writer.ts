import { type Git, type Repository, runIn } from '../git.ts'
import { GitError } from '../git-error.ts'
import { objectInfo } from '../reading/object-reader.ts'
import { isValidRefName } from '../refs/branch-name.ts'
import { formatIdentity, type Identity } from './write.ts'

/** An annotated tag to write. */
export interface TagRequest {
  /** Without `refs/tags/`. */
  name: string
  /** Full id of the tagged object. */
  target: string
  message: string
  tagger: Identity
}

/**
 * Writes the object of an annotated tag and returns its id. No ref reaches it yet: `updateRefs`
 * creates the tag.
 * @throws GitError `invalid` for a bad name, `not_found` if there is no such target.
 */
export async function writeTag(
  git: Git,
  repository: Repository,
  request: TagRequest,
): Promise<string> {
  const { name, target, tagger } = request
  if (name === '' || !isValidRefName(`refs/tags/${name}`)) {
    throw new GitError('invalid', `not a tag name: ${name}`)
  }
  const info = await objectInfo(git, repository, target)
  if (info === undefined || info.oid !== target) {
    throw new GitError('not_found', `no object ${target}`)
  }
  const message = request.message.toWellFormed().replaceAll('\0', '').trimEnd()
  const lines = [
    `object ${target}`,
    `type ${info.type}`,
    `tag ${name}`,
    `tagger ${formatIdentity(tagger)}`,
    '',
    `${message}\n`,
  ]
  const { stdout } = await runIn(git, repository, ['mktag'], { stdin: lines.join('\n') })
  return stdout.toString('latin1').trim()
}
