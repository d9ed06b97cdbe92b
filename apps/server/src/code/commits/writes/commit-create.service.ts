import { type BodyOf, type commitsContract, decideOnProject, forbidden } from '@stithy/core'
import { areInSameForkNetwork } from '../../../directory/forks/fork-network.service.ts'
import type { ProjectSubject } from '../../../directory/projects/project-subject.ts'
import { requireProject } from '../../../directory/projects/project-subject.ts'
import type { App } from '../../../platform/app.ts'
import { enforce } from '../../../platform/http/authorize.ts'
import { changeOf, lockOf } from './action-changes.ts'
import { commitToBranch, type Writer } from './commit-write.service.ts'

/**
 * Creates the commit of a list of actions, all or none, and returns its id.
 * @throws DomainError `not_found`, `forbidden`, `bad_request`
 */
export async function createFromActions(
  app: App,
  writer: Writer,
  body: BodyOf<(typeof commitsContract)['create']>,
): Promise<string> {
  const startProject = await findStartProject(app, writer, body.start_project)
  return commitToBranch(app, writer, {
    branch: body.branch,
    startBranch: body.start_branch,
    startProject,
    force: body.force,
    message: body.commit_message,
    author: body,
    changes: body.actions.map(changeOf),
    locks: body.actions.map(lockOf).filter((lock) => lock !== undefined),
  })
}

/**
 * Finds the project that a branch starts in, if it is another one: of the same fork network, whose
 * code the caller may read.
 * @throws DomainError `not_found`, `forbidden`
 */
async function findStartProject(
  app: App,
  { subject, caller }: Writer,
  ref: string | undefined,
): Promise<ProjectSubject | undefined> {
  if (ref === undefined || ref === '') return undefined
  const project = await requireProject(app, ref, caller)
  if (project.row.id === subject.row.id) return undefined
  if (!(await areInSameForkNetwork(app, subject, project))) {
    throw forbidden('The start project is not in the same fork network')
  }
  enforce(decideOnProject('read_code', caller.facts, project.facts), caller)
  return project
}
