import { findMergeRequestById, type ListedApprovers } from '@stithy/store'
import { z } from 'zod'
import { addTodos } from '../../planning/todos/todo.service.ts'
import type { App } from '../../platform/app.ts'
import { tierAllows } from '../../platform/config/config.ts'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { loadItemForJob } from '../merge-requests/merge-request-for-job.ts'
import { loadApprovalState } from './approval-state.service.ts'

export const approverTodosKind = 'approvals.todos'

const Payload = z.object({
  id: z.int(),
  /** The user who causes the todos, and gets none. */
  authorId: z.int(),
  /** The approvers that were added; by default all. */
  added: z.object({ userIds: z.array(z.int()), groupIds: z.array(z.int()) }).optional(),
})

/** Todos for the approvers of a merge request. */
export type ApproverTodos = z.output<typeof Payload>

/** Users in one transaction. */
const batchSize = 200

/** Adds todos for the listed approvers of an open merge request who have not approved it. */
async function addApproverTodos(app: App, { id, authorId, added }: ApproverTodos): Promise<void> {
  if (!tierAllows(app.config.tier, 'premium')) return
  const row = await findMergeRequestById(app.db, id)
  const item = row?.state === 'opened' ? await loadItemForJob(app, row) : undefined
  if (item === undefined) return
  const { requirements, approvers, given } = await loadApprovalState(app, item)
  const isAdded = added === undefined ? () => true : among(added, approvers.members)
  const approverIds = new Set(requirements.flatMap((rule) => [...rule.approverIds]))
  const userIds = [...approverIds].filter(
    (userId) => userId !== authorId && !given.includes(userId) && isAdded(userId),
  )
  for (let start = 0; start < userIds.length; start += batchSize) {
    const batch = userIds.slice(start, start + batchSize)
    const todos = { item, userIds: batch, authorId, action: 'approval_required' } as const
    await app.db.transaction((tx) => addTodos(tx, { ...todos, at: app.now() }))
  }
}

function among(
  { userIds, groupIds }: ListedApprovers,
  members: ReadonlyMap<number, readonly number[]>,
): (userId: number) => boolean {
  const ids = new Set([...userIds, ...groupIds.flatMap((id) => members.get(id) ?? [])])
  return (userId) => ids.has(userId)
}

/** Adds todos for the approvers of a merge request. */
export const approverTodosJob: JobHandler = {
  kind: approverTodosKind,
  run: (app, payload) => addApproverTodos(app, Payload.parse(payload)),
}
