import {
  findIssuesById,
  findItemsWithSystemNote,
  findMergeRequestsById,
  type MilestoneableType,
  type Transaction,
} from '@stithy/store'
import { loadProject, type ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { recordColumnUpdate } from '../items/changes/record-update.ts'
import type { WorkItem } from '../items/item.ts'

/** Items that lost a deleted milestone: which, when (milliseconds) and by whom. */
export interface ClearedMilestone {
  type: MilestoneableType
  ids: readonly number[]
  milestoneId: number
  userId: number
  at: number
}

/** Projects by id. */
export type Projects = ReadonlyMap<number, ProjectSubject>

/** Loads projects by id; deleted ones are left out. One query each. */
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

/** Records that items lost a deleted milestone, unless an interrupted job has done so. */
export async function recordClearedMilestone(
  tx: Transaction,
  projects: Projects,
  { type, ids, milestoneId, userId, at }: ClearedMilestone,
): Promise<void> {
  if (ids.length === 0) return
  const note = { action: 'milestone_changed', milestone: null } as const
  const noted = await findItemsWithSystemNote(tx, { type, ids, note, at })
  const by = { userId, at, now: at }
  for (const item of await itemsOf(tx, projects, type, ids)) {
    if (noted.has(item.row.id)) continue
    await recordColumnUpdate(tx, { item, previous: { milestoneId }, notes: [note] }, by)
  }
}

async function itemsOf(
  tx: Transaction,
  projects: Projects,
  type: MilestoneableType,
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
