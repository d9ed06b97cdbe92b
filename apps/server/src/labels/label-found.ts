import { notFound } from '@stithy/core'
import {
  findGroupLabel,
  findProjectLabel,
  type LabelKey,
  type LabelRow,
  type ProjectLabelRow,
} from '@stithy/store'
import type { App } from '../app.ts'
import type { GroupSubject } from '../groups/group-subject.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'

/** What a name in a path can mean: an id, or else a title. */
function keysOf(ref: string): LabelKey[] {
  // No text that is kept has it, and PostgreSQL does not even look for it.
  if (ref.includes('\0')) return []
  return /^\d{1,15}$/.test(ref) ? [{ id: Number(ref) }, { title: ref }] : [{ title: ref }]
}

/**
 * The label of this id or title that a project has, its own or of a group above. At most two queries.
 * @throws DomainError `not_found`
 */
export async function requireLabel(
  app: App,
  { row }: ProjectSubject,
  ref: string,
): Promise<ProjectLabelRow> {
  const scope = { projectId: row.id, namespaceId: row.namespaceId }
  for (const key of keysOf(ref)) {
    const label = await findProjectLabel(app.db, scope, key)
    if (label !== undefined) return label
  }
  throw notFound('Label')
}

/** `requireLabel`, and the project's own. @throws DomainError `not_found` */
export async function requireOwnLabel(
  app: App,
  project: ProjectSubject,
  ref: string,
): Promise<ProjectLabelRow> {
  const label = await requireLabel(app, project, ref)
  if (label.projectId !== project.row.id) throw notFound('Label')
  return label
}

/** The label of this id or title that a group has, its own or of a group above. @throws DomainError `not_found` */
export async function requireGroupLabel(
  app: App,
  { row }: GroupSubject,
  ref: string,
): Promise<LabelRow> {
  for (const key of keysOf(ref)) {
    const label = await findGroupLabel(app.db, row.id, key)
    if (label !== undefined) return label
  }
  throw notFound('Label')
}

/** `requireGroupLabel`, and the group's own. @throws DomainError `not_found` */
export async function requireOwnGroupLabel(
  app: App,
  group: GroupSubject,
  ref: string,
): Promise<LabelRow> {
  const label = await requireGroupLabel(app, group, ref)
  if (label.groupId !== group.row.id) throw notFound('Label')
  return label
}
