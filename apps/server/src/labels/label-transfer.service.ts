import {
  findLabelsByTitle,
  insertLabel,
  listLabelsLeftBehind,
  replaceLabelInProject,
  type Transaction,
} from '@stithy/store'

/**
 * Keeps what is labelled as it is when a project goes to another namespace (catalogue: projects, Rules): labels of
 * groups that it leaves are replaced by those of the same title that it has there, or that it gets.
 */
export async function carryLabels(
  tx: Transaction,
  { projectId, namespaceId, at }: { projectId: number; namespaceId: number; at: number },
): Promise<void> {
  const place = { projectId, namespaceId }
  for (const label of await listLabelsLeftBehind(tx, place)) {
    const { title, color, description } = label
    const [known] = await findLabelsByTitle(tx, { ...place, titles: [title] })
    const made = { projectId, groupId: null, title, color, description, createdAt: at }
    const into = known ?? (await insertLabel(tx, made))
    if (into === undefined) throw new TypeError('A label that is not there can be made')
    await replaceLabelInProject(tx, { projectId, from: label.id, into: into.id })
  }
}
