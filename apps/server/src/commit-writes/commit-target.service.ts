import { badRequest, clashingName, isBranchOrTagName } from '@stithy/core'
import { findBranch, listRefs } from '@stithy/git'
import type { App } from '../app.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { repositoryOf } from '../repositories/repository.service.ts'

/** Where a commit is to go, and on top of what. */
export interface TargetRequest {
  branch: string
  /** Where the branch begins that is to be made, or moved with `force`; blank counts for nothing. */
  startBranch?: string | undefined
  /** The project of that branch; default: the project itself. */
  startProject?: ProjectSubject | undefined
  /** Whether an existing branch may be moved to what begins elsewhere. */
  force?: boolean
}

export interface CommitTarget {
  /** In full. */
  ref: string
  /** Where the branch is; null where it is yet to be made. */
  before: string | null
  /** The commit to build on; undefined in an empty repository. */
  start: string | undefined
}

/**
 * Finds the branch that a commit is to go to, and the commit that it goes on top of.
 * @throws DomainError `bad_request` where a branch is missing, in the way or impossible.
 */
export async function findTarget(
  app: App,
  subject: ProjectSubject,
  request: TargetRequest,
): Promise<CommitTarget> {
  const { branch, startProject = subject, force = false } = request
  if (!isBranchOrTagName(branch)) throw badRequest('No branch may have this name.')
  const ref = `refs/heads/${branch}`
  const startBranch = request.startBranch || branch
  const isElsewhere = startBranch !== branch || startProject.row.id !== subject.row.id
  const before = (await tipOf(app, subject, branch)) ?? null
  if (before !== null && !isElsewhere) return { ref, before, start: before }
  if (before !== null && !force) {
    throw badRequest(`The branch '${branch}' exists already, so it cannot begin elsewhere.`)
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

/** Git keeps branches like files: `a` and `a/b` cannot both be. Only the first commit starts from nothing. */
async function requireFreeName(
  app: App,
  { row }: ProjectSubject,
  branch: string,
  mustBeFirst: boolean,
): Promise<void> {
  const heads = await listRefs(app.git, repositoryOf(app, row), 'heads')
  if (mustBeFirst && heads.length > 0) throw missing(branch)
  const other = clashingName(
    branch,
    heads.map(({ name }) => name),
  )
  if (other === undefined) return
  throw badRequest(`The branch '${other}' is in the way of the name '${branch}'.`)
}

function missing(name: string) {
  return badRequest(`There is no branch '${name}' to build on.`)
}
