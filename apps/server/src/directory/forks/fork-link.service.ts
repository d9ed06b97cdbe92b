import { conflict, DomainError, isWiderThan, notFound } from '@stithy/core'
import {
  clearForkSource,
  countFork,
  discountFork,
  findProjectVisibility,
  lockForkLine,
  narrowForks,
  setForkSource,
  type Transaction,
  updateProject,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { ProjectRow } from '../projects/project-subject.ts'

/**
 * Makes an existing project a fork of another; it and its forks become no more visible than that.
 * @throws DomainError `conflict` for a fork, and where projects would be forks of themselves;
 * `not_found`
 */
export async function linkFork(app: App, project: ProjectRow, source: ProjectRow): Promise<void> {
  const link = { projectId: project.id, sourceId: source.id }
  if (project.forkedFromProjectId !== null) throw alreadyForked()
  await app.db.transaction(async (tx) => {
    const line = await lockForkLine(tx, { projectId: source.id })
    const visibility = await countFork(tx, link)
    if (visibility === undefined) throw notFound('Project')
    if (line.includes(project.id)) {
      throw conflict('A project cannot be a fork of itself or of its forks')
    }
    if (!(await setForkSource(tx, link))) throw alreadyForked()
    await narrowTo(tx, project, visibility, app.now())
  })
}

function alreadyForked(): DomainError {
  return conflict('Project already forked')
}

async function narrowTo(
  tx: Transaction,
  { id }: ProjectRow,
  visibility: ProjectRow['visibility'],
  now: number,
): Promise<void> {
  const current = await findProjectVisibility(tx, id)
  if (current === undefined || !isWiderThan(current, visibility)) return
  await updateProject(tx, id, { visibility, updatedAt: now })
  await narrowForks(tx, { projectId: id, visibility, now })
}

/**
 * Ends the relation of a fork to its source.
 * @throws DomainError `not_modified` if it is no fork
 */
export async function unlinkFork(app: App, caller: Caller, project: ProjectRow): Promise<void> {
  const { id: projectId, forkedFromProjectId: sourceId } = project
  if (sourceId === null) throw new DomainError('not_modified')
  const now = app.now()
  await app.db.transaction(async (tx) => {
    await discountFork(tx, { sourceId })
    if (!(await clearForkSource(tx, { projectId, sourceId }))) throw new DomainError('not_modified')
    const by = { userId: caller.facts.userId, at: now, now }
    await recordChange(tx, { kind: 'project.fork_unlinked', ...by, projectIds: [projectId] })
  })
}
