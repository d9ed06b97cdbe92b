import {
  findUsableMilestoneByTitle,
  insertMilestone,
  listLostGroupMilestones,
  type Transaction,
} from '@stithy/store'
import { mergeMilestones } from './milestone-merge.service.ts'

/**
 * Preserves the milestones of items when a project is transferred: milestones of groups that it
 * leaves are replaced by those with the same title that it has there, or by copies.
 */
export async function transferMilestones(
  tx: Transaction,
  { projectId, namespaceId, at }: { projectId: number; namespaceId: number; at: number },
): Promise<void> {
  const target = { projectId, namespaceId }
  for (const lost of await listLostGroupMilestones(tx, target)) {
    const { id, title, description, startDate, dueDate, state } = lost
    const data = { title, description, startDate, dueDate, state, createdAt: at }
    const known = await findUsableMilestoneByTitle(tx, { ...target, title })
    const into = known ?? (await insertMilestone(tx, { projectId }, data))
    await mergeMilestones(tx, { projectId, from: [id], into: into.id }, at)
  }
}
