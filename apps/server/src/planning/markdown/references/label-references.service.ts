import { decideOnProject, type ReferenceTarget, textColorOn } from '@stithy/core'
import { listMentionedLabels, type MentionedLabelRow } from '@stithy/store'
import type { ProjectSubject } from '../../../directory/projects/project-subject.ts'
import { webUrl } from '../../../platform/http/urls.ts'
import {
  findReferenceParents,
  projectPath,
  type Reader,
  type References,
  type ResolvedReferences,
} from './reference-parent.ts'

type LabelTarget = Extract<ReferenceTarget, { kind: 'label' }>

/**
 * Resolves labels by id or title: the project's own before those of the groups above it. At most
 * three queries.
 */
export async function findLabelReferences(
  reader: Reader,
  references: References<LabelTarget>,
): Promise<ResolvedReferences> {
  const found: ResolvedReferences = new Map()
  if (references.size === 0) return found
  const projects = await findReferenceParents(reader, references.values())
  const readable = [...projects.values()].filter(
    ({ facts }) => decideOnProject('read_labels', reader.caller.facts, facts).allowed,
  )
  const labels = await labelsOf(reader, readable, [...references.values()])
  for (const [key, target] of references) {
    const project = projects.get(projectPath(target, reader) ?? '')
    const label = project && labels.get(labelKey(project.row.id, target))
    if (label !== undefined && project !== undefined)
      found.set(key, present(reader, project, label))
  }
  return found
}

async function labelsOf(
  { app }: Reader,
  projects: readonly ProjectSubject[],
  targets: readonly LabelTarget[],
): Promise<ReadonlyMap<string, MentionedLabelRow>> {
  const projectIds = projects.map(({ row }) => row.id)
  const titles = targets.flatMap(({ title }) => title ?? [])
  const ids = targets.flatMap(({ id }) => id ?? [])
  if (projectIds.length === 0) return new Map()
  const byTitle =
    titles.length === 0 ? [] : await listMentionedLabels(app.db, { projectIds, titles })
  const byId = ids.length === 0 ? [] : await listMentionedLabels(app.db, { projectIds, ids })
  const nearestLast = byTitle.toSorted((a, b) => b.distance - a.distance)
  return new Map([
    ...nearestLast.map((row) => [labelKey(row.scopeId, { title: row.title }), row] as const),
    ...byId.map((row) => [labelKey(row.scopeId, { id: row.id }), row] as const),
  ])
}

function labelKey(projectId: number, { id, title }: { id?: number; title?: string }): string {
  return id === undefined ? `${projectId} title ${title}` : `${projectId} id ${id}`
}

function present(reader: Reader, project: ProjectSubject, label: MentionedLabelRow) {
  const { fullPath, id } = project.row
  const suffix = id === reader.project?.row.id ? '' : ` in ${fullPath}`
  const query = new URLSearchParams({ label_name: label.title })
  return {
    kind: 'label',
    href: `${webUrl(reader.app.config, fullPath)}/issues?${query}`,
    title: label.description ?? '',
    text: `${label.title}${suffix}`,
    data: { project: id, label: label.id },
    colors: { background: label.color, text: textColorOn(label.color) },
  }
}
