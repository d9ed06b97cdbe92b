import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { run } from './broker/run.ts'
import { type Git, type Repository, runIn } from './git.ts'
import { GitError } from './git-error.ts'
import { isValidBranchName } from './refs/branch-name.ts'

/** Internal refs, which are hidden from clones. */
const hiddenRefs = ['refs/keep-around', 'refs/stithy']

/** Refs that clients may fetch but not push. */
const readOnlyRefs = ['refs/merge-requests', 'refs/pipelines', 'refs/environments']

const config = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
\tlogAllRefUpdates = false
\tfsync = objects,derived-metadata,reference
[gc]
\tauto = 0
[transfer]
${hiddenRefs.map((ref) => `\thideRefs = ${ref}\n`).join('')}[receive]
\tfsckObjects = true
\tadvertisePushOptions = true
\tautogc = false
\tunpackLimit = 20
${readOnlyRefs.map((ref) => `\thideRefs = ${ref}\n`).join('')}[receive "fsck"]
	badFilemode = error
\tbadTimezone = ignore
\tmissingSpaceBeforeDate = ignore
\tzeroPaddedFilemode = ignore
[uploadpack]
\tallowFilter = true
\tallowAnySHA1InWant = true
`

/** Flushes a file or a folder to the disk. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A path beside a repository; what a crash leaves there is swept later. */
export function sibling(path: string, purpose: 'new' | 'old'): string {
  return `${path}.${randomBytes(6).toString('hex')}.${purpose}`
}

async function prepare(git: Git, path: string, branch: string): Promise<void> {
  const args = [
    'init',
    '--quiet',
    '--bare',
    '--template=',
    `--initial-branch=${branch}`,
    '--',
    path,
  ]
  await run(git.parts.spawner, { args })
  await writeFile(join(path, 'config'), config, { flush: true })
  await flush(join(path, 'HEAD'))
  for (const folder of ['refs/heads', 'refs', 'objects', '.']) await flush(join(path, folder))
}

export interface NewRepository {
  defaultBranch: string
  /** Adds contents, flushed to the disk, before the repository is at its path. */
  fill?: (repository: Repository) => Promise<void>
}

/**
 * Creates a bare repository with its parent folders, atomically: a crash leaves at most a sibling
 * ending in `.new`.
 * @throws GitError `conflict` if the path exists, `invalid` for an invalid branch name.
 */
export async function createRepository(
  git: Git,
  path: string,
  { defaultBranch, fill }: NewRepository,
): Promise<Repository> {
  if (!isValidBranchName(defaultBranch)) {
    throw new GitError('invalid', `not a branch name: ${defaultBranch}`)
  }
  const temporary = sibling(path, 'new')
  await mkdir(dirname(path), { recursive: true })
  try {
    await prepare(git, temporary, defaultBranch)
    await fill?.({ path: temporary })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (!['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(code)) throw error
    throw new GitError('conflict', `the path already exists: ${path}`)
  }
  await flush(dirname(path))
  git.forget(path)
  return { path }
}

/**
 * Removes a repository: it is renamed first, so that nobody sees it half removed; a crash leaves at
 * most a sibling ending in `.old`. A missing repository is not an error.
 */
export async function removeRepository(git: Git, repository: Repository): Promise<void> {
  const toDelete = sibling(repository.path, 'old')
  try {
    await rename(repository.path, toDelete)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  } finally {
    git.forget(repository.path)
  }
  await rm(toDelete, { recursive: true, force: true, maxRetries: 3 })
}

/** Whether there is a repository at the path. */
export async function repositoryExists(repository: Repository): Promise<boolean> {
  const head = await stat(join(repository.path, 'HEAD')).catch(() => undefined)
  return head?.isFile() ?? false
}

/**
 * Points HEAD at a branch, which need not exist yet.
 * @throws GitError `invalid`, `not_found`.
 */
export async function setHead(git: Git, repository: Repository, branch: string): Promise<void> {
  if (!isValidBranchName(branch)) throw new GitError('invalid', `not a branch name: ${branch}`)
  await runIn(git, repository, ['symbolic-ref', 'HEAD', `refs/heads/${branch}`])
}

/**
 * The branch that HEAD points to, born or not; undefined if HEAD is detached.
 * @throws GitError `not_found` if there is no repository.
 */
export async function readHead(repository: Repository): Promise<string | undefined> {
  const head = await readFile(join(repository.path, 'HEAD'), 'utf8').catch(() => {
    throw new GitError('not_found', `no repository at ${repository.path}`)
  })
  return /^ref: refs\/heads\/(.+)\n?$/.exec(head)?.[1]
}

async function folderSize(path: string): Promise<number> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
  let total = 0
  for (const entry of entries) {
    const child = join(path, entry.name)
    // A file may be deleted meanwhile: git repacks at any time.
    if (entry.isDirectory()) total += await folderSize(child)
    else total += (await stat(child).catch(() => undefined))?.size ?? 0
  }
  return total
}

/** Bytes of all files of a repository; 0 if it doesn't exist. */
export function repositorySize(repository: Repository): Promise<number> {
  return folderSize(repository.path)
}
