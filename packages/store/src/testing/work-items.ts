import { raiseIid } from '../platform/queries/iids.ts'
import type { Database, Queries } from '../platform/queries/queries.ts'
import { pick } from '../platform/queries/sql.ts'
import { toFlag } from '../platform/schema/flag.ts'
import type { Row } from '../platform/schema/schema.ts'
import { someTime } from './factories.ts'
import { buildMergeRequest } from './merge-requests.ts'

/** An issue or merge request with all its relations, as plain data; others are given by id. */
export interface WorkItemModel {
  id: number
  iid: number
  projectId: number
  authorId: number
  title: string
  description: string | null
  state: 'opened' | 'closed'
  confidential: boolean
  weight: number | null
  milestoneId: number | null
  labelIds: number[]
  assigneeIds: number[]
  /** Awards by user. */
  awards: { userId: number; name: string }[]
  createdAt: number
  updatedAt: number
  /** What only merge requests have. */
  request?: {
    wip: boolean
    sourceProjectId: number
    sourceBranch: string
    targetBranch: string
  }
}

async function insertAny(q: Queries, table: string, row: Record<string, unknown>): Promise<void> {
  const names = Object.keys(row)
  await q.run(`test.put|${table}|${names.join()}`, row, (db, $) =>
    db.insertInto(table as 'awards').values(pick($, names) as never),
  )
}

/** Inserts an issue as it is. */
export async function putIssue(q: Queries, model: WorkItemModel): Promise<void> {
  const { labelIds, assigneeIds, awards: _, request: __, confidential, ...columns } = model
  await insertAny(q, 'issues', {
    ...columns,
    confidential: confidential ? 1 : 0,
    labelCount: labelIds.length,
    assigneeCount: assigneeIds.length,
  })
  await putRelations(q, 'issue', model)
}

/** Inserts a merge request as it is, without what only issues have. */
export async function putMergeRequest(db: Database, model: WorkItemModel): Promise<number> {
  const { projectId, authorId, title, description, createdAt, assigneeIds } = model
  const { id } = await buildMergeRequest(
    db,
    { id: projectId },
    { id: authorId },
    { title, description, createdAt, sourceBranch: `topic-${model.id}` },
  )
  const { request } = model
  const args = {
    id,
    iid: model.iid,
    workInProgress: toFlag(request?.wip ?? false),
    sourceProjectId: request?.sourceProjectId ?? projectId,
    sourceBranch: request?.sourceBranch ?? `topic-${model.id}`,
    targetBranch: request?.targetBranch ?? 'main',
    state: model.state,
    milestoneId: model.milestoneId,
    labelCount: model.labelIds.length,
    assigneeCount: assigneeIds.length,
    updatedAt: model.updatedAt,
  }
  const { id: _, ...set } = args
  const columns = Object.keys(set) as (keyof typeof set)[]
  await db.run('test.mergeRequest', args, (kysely, $) =>
    kysely.updateTable('mergeRequests').set(pick($, columns)).where('id', '=', $('id')),
  )
  await db.transaction((tx) => raiseIid(tx, 'mergeRequests', projectId, model.iid))
  await putRelations(db, 'merge_request', { ...model, id })
  return id
}

async function putRelations(
  q: Queries,
  targetType: 'issue' | 'merge_request',
  { id, projectId, createdAt, labelIds, assigneeIds, awards }: WorkItemModel,
): Promise<void> {
  for (const labelId of labelIds) {
    await insertAny(q, 'labelLinks', { targetType, targetId: id, labelId, projectId, createdAt })
  }
  const [table, item] =
    targetType === 'issue'
      ? ['issueAssignees', 'issueId']
      : ['mergeRequestAssignees', 'mergeRequestId']
  for (const [position, userId] of assigneeIds.entries()) {
    await insertAny(q, table, { [item]: id, userId, position, createdAt })
  }
  for (const award of awards) {
    const times = { createdAt: someTime, updatedAt: someTime }
    await insertAny(q, 'awards', { targetType, targetId: id, projectId, ...award, ...times })
  }
}

/** A label of a project or of a group. */
export async function putLabel(
  q: Queries,
  label: Pick<Row<'labels'>, 'id' | 'title' | 'projectId' | 'groupId'>,
): Promise<void> {
  const rest = { color: '#ff0000', description: null, createdAt: someTime, updatedAt: someTime }
  await insertAny(q, 'labels', { ...label, ...rest })
}

/** A milestone of a project or of a group. */
export async function putMilestone(
  q: Queries,
  milestone: Pick<Row<'milestones'>, 'id' | 'title' | 'projectId' | 'groupId'>,
): Promise<void> {
  const times = { createdAt: someTime, updatedAt: someTime }
  await insertAny(q, 'milestones', { ...milestone, iid: milestone.id, ...times })
}
