import { badRequest, conflictingName, isBranchOrTagName } from '@stithy/core'
import { findBranch, listRefs } from '@stithy/git'
import type { ProjectSubject } from '../../../directory/projects/project-subject.ts'
import type { App } from '../../../platform/app.ts'
import { repositoryOf } from '../../../platform/repositories/repository-location.ts'

/** The branch that a commit is created on, and where it starts. */
export interface TargetRequest {
  branch: string
  /** Where to start a branch that is created, or reset with `force`; blank counts as absent. */
  startBranch?: string | undefined
  /** The project of the start branch; default: the project itself. */
  startProject?: ProjectSubject | undefined
  /** Whether an existing branch may be reset to the start branch. */
  force?: boolean
}

export interface CommitTarget {
  /** The full name of the ref. */
  ref: string
  /** The current commit of the branch; null if the branch does not exist. */
  before: string | null
  /** The parent commit; undefined in an empty repository. */
  start: string | undefined
}

/**
 * Finds the branch that a commit is created on, and the commit's parent.
 * @throws DomainError `bad_request` when a branch is missing, exists already or has an invalid
 * name.
 */
export async function findTarget(
  app: App,
  subject: ProjectSubject,
  request: TargetRequest,
): Promise<CommitTarget> {
  const { branch, startProject = subject, force = false } = request
  if (!isBranchOrTagName(branch)) throw badRequest('The branch name is invalid.')
  const ref = `refs/heads/${branch}`
  const startBranch = request.startBranch || branch
  const isElsewhere = startBranch !== branch || startProject.row.id !== subject.row.id
  const before = (await tipOf(app, subject, branch)) ?? null
  if (before !== null && !isElsewhere) return { ref, before, start: before }
  if (before !== null && !force) {
    throw badRequest(`The branch '${branch}' already exists.`)
  }
  const start = await tipOf(app, startProject, startBranch)
  const isFirst = start === undefined && !isElsewhere
  if (before === null) await requireFreeName(app, subject, branch, isFirst)
  if (start === undefined && !isFirst) throw missing(startBranch)
  return { ref, before, start }
}

async function tipOf(app: App, { row }: ProjectSubject, name: string): Promise<string | undefined> {
  return (await findBranch(app.git, repositoryOf(app, row), name))?.oid
}

/**
 * Git stores branches like files: `a` and `a/b` cannot both exist. Only the first commit has no
 * parent.
 */
async function requireFreeName(
  app: App,
  { row }: ProjectSubject,
  branch: string,
  mustBeFirst: boolean,
): Promise<void> {
  const heads = await listRefs(app.git, repositoryOf(app, row), 'heads')
  if (mustBeFirst && heads.length > 0) throw missing(branch)
  const other = conflictingName(
    branch,
    heads.map(({ name }) => name),
  )
  if (other === undefined) return
  throw badRequest(`The branch name '${branch}' conflicts with the existing branch '${other}'.`)
}

function missing(name: string) {
  return badRequest(`The branch '${name}' does not exist.`)
}
