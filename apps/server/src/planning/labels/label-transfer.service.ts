import {
  findLabelsByTitle,
  insertLabel,
  listLostGroupLabels,
  type Transaction,
} from '@stithy/store'
import { mergeLabels } from './label-merge.service.ts'

/**
 * Keeps the labels of issues and merge requests when their project moves to another namespace:
 * labels of groups that it leaves are replaced by labels with the same title there, or by new
 * project labels.
 */
export async function transferLabels(
  tx: Transaction,
  { projectId, namespaceId, at }: { projectId: number; namespaceId: number; at: number },
): Promise<void> {
  const scope = { projectId, namespaceId }
  for (const label of await listLostGroupLabels(tx, scope)) {
    const { title, color, description } = label
    const [existing] = await findLabelsByTitle(tx, { ...scope, titles: [title] })
    const values = { projectId, groupId: null, title, color, description, createdAt: at }
    const into = existing ?? (await insertLabel(tx, values))
    if (into === undefined) throw new TypeError('A label that does not exist could not be created')
    await mergeLabels(tx, { projectId, from: [label.id], into: into.id }, at)
  }
}
