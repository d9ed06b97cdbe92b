import { milestoneRemark } from '@stithy/core'
import {
  findIssuesById,
  findMergeRequestsById,
  listRemarked,
  type PlannedType,
  type Transaction,
} from '@stithy/store'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import type { WorkItem } from '../items/item.ts'
import { loadProject, type ProjectSubject } from '../projects/project-subject.ts'
import { remark } from '../system-notes/system-note.service.ts'
import { announceIssue } from '../webhooks/item-hooks.ts'

/** Things that lost their milestone: which, when (milliseconds) and by whom. */
export interface Unplanning {
  type: PlannedType
  ids: readonly number[]
  milestoneId: number
  userId: number
  at: number
}

/** Projects by their ids. */
export type Projects = ReadonlyMap<number, ProjectSubject>

/** The projects with these ids, but for those that are gone. One query each. */
export async function loadProjects(
  app: App,
  caller: Pick<Caller, 'facts'>,
  ids: readonly number[],
): Promise<Projects> {
  const projects = new Map<number, ProjectSubject>()
  for (const id of ids) {
    const project = await loadProject(app, String(id), caller)
    if (project !== undefined) projects.set(id, project)
  }
  return projects
}

/**
 * Remarks on things that they lost their milestone, and has hooks told of the issues (catalogue: planning, 1). What
 * is told already, by a job that came to no end, is not told again.
 */
export async function tellUnplanned(
  tx: Transaction,
  projects: Projects,
  { type, ids, milestoneId, userId, at }: Unplanning,
): Promise<void> {
  if (ids.length === 0) return
  const body = milestoneRemark(null)
  const told = await listRemarked(tx, { type, ids, body, at })
  for (const item of await itemsOf(tx, projects, type, ids)) {
    if (told.has(item.row.id)) continue
    await remark(tx, item, { authorId: userId, body, at })
    if (item.type !== 'issue') continue
    const changes = { milestone_id: { previous: milestoneId, current: null } }
    await announceIssue(tx, { row: item.row, action: 'update', userId, at, changes })
  }
}

async function itemsOf(
  tx: Transaction,
  projects: Projects,
  type: PlannedType,
  ids: readonly number[],
): Promise<WorkItem[]> {
  const items: WorkItem[] = []
  const assigneeIds: readonly number[] = []
  if (type === 'issue') {
    for (const row of await findIssuesById(tx, ids)) {
      const project = projects.get(row.projectId)
      if (project !== undefined) items.push({ type, row, project, assigneeIds })
    }
    return items
  }
  for (const row of await findMergeRequestsById(tx, ids)) {
    const project = projects.get(row.projectId)
    if (project !== undefined) items.push({ type, row, project, assigneeIds })
  }
  return items
}
