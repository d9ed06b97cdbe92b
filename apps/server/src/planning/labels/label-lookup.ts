import { notFound } from '@stithy/core'
import {
  findGroupLabel,
  findProjectLabel,
  type LabelKey,
  type LabelRow,
  type ProjectLabelRow,
} from '@stithy/store'
import type { GroupSubject } from '../../directory/groups/group-subject.ts'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'

/** The lookup keys of `:label_id`: an id, or else a title. */
function keysOf(ref: string): LabelKey[] {
  // No stored text contains NUL, and PostgreSQL rejects it as a parameter.
  if (ref.includes('\0')) return []
  return /^\d{1,15}$/.test(ref) ? [{ id: Number(ref) }, { title: ref }] : [{ title: ref }]
}

/**
 * Finds a label by id or title, of the project itself or of a group above. At most two queries.
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

/** `requireLabel` for the project's own labels. @throws DomainError `not_found` */
export async function requireOwnLabel(
  app: App,
  project: ProjectSubject,
  ref: string,
): Promise<ProjectLabelRow> {
  const label = await requireLabel(app, project, ref)
  if (label.projectId !== project.row.id) throw notFound('Label')
  return label
}

/**
 * Finds a label by id or title, of the group itself or of a group above. At most two queries.
 * @throws DomainError `not_found`
 */
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

/** `requireGroupLabel` for the group's own labels. @throws DomainError `not_found` */
export async function requireOwnGroupLabel(
  app: App,
  group: GroupSubject,
  ref: string,
): Promise<LabelRow> {
  const label = await requireGroupLabel(app, group, ref)
  if (label.groupId !== group.row.id) throw notFound('Label')
  return label
}
