import { decideOnProject, type ReferenceTarget, textColorOn } from '@stithy/core'
import { listNamedLabels, type NamedLabelRow } from '@stithy/store'
import { webUrl } from '../../http/urls.ts'
import type { ProjectSubject } from '../../projects/project-subject.ts'
import { type Found, findPlaces, placeOf, type Reader, type Wanted } from './reference-place.ts'

type LabelTarget = Extract<ReferenceTarget, { kind: 'label' }>

/** Labels by id or title: the project's own before those of the groups above it. At most three queries. */
export async function findLabelReferences(
  reader: Reader,
  wanted: Wanted<LabelTarget>,
): Promise<Found> {
  const found: Found = new Map()
  if (wanted.size === 0) return found
  const places = await findPlaces(reader, wanted.values())
  const readable = [...places.values()].filter(
    ({ facts }) => decideOnProject('read_labels', reader.caller.facts, facts).allowed,
  )
  const labels = await labelsOf(reader, readable, [...wanted.values()])
  for (const [key, target] of wanted) {
    const place = places.get(placeOf(target, reader) ?? '')
    const label = place && labels.get(labelKey(place.row.id, target))
    if (label !== undefined && place !== undefined) found.set(key, present(reader, place, label))
  }
  return found
}

async function labelsOf(
  { app }: Reader,
  places: readonly ProjectSubject[],
  targets: readonly LabelTarget[],
): Promise<ReadonlyMap<string, NamedLabelRow>> {
  const projectIds = places.map(({ row }) => row.id)
  const titles = targets.flatMap(({ title }) => title ?? [])
  const ids = targets.flatMap(({ id }) => id ?? [])
  if (projectIds.length === 0) return new Map()
  const byTitle = titles.length === 0 ? [] : await listNamedLabels(app.db, { projectIds, titles })
  const byId = ids.length === 0 ? [] : await listNamedLabels(app.db, { projectIds, ids })
  const nearestLast = byTitle.toSorted((a, b) => b.distance - a.distance)
  return new Map([
    ...nearestLast.map((row) => [labelKey(row.placeId, { title: row.title }), row] as const),
    ...byId.map((row) => [labelKey(row.placeId, { id: row.id }), row] as const),
  ])
}

function labelKey(projectId: number, { id, title }: { id?: number; title?: string }): string {
  return id === undefined ? `${projectId} title ${title}` : `${projectId} id ${id}`
}

function present(reader: Reader, place: ProjectSubject, label: NamedLabelRow) {
  const { fullPath, id } = place.row
  const elsewhere = id === reader.project?.row.id ? '' : ` in ${fullPath}`
  const query = new URLSearchParams({ label_name: label.title })
  return {
    kind: 'label',
    href: `${webUrl(reader.app.config, fullPath)}/issues?${query}`,
    title: label.description ?? '',
    text: `${label.title}${elsewhere}`,
    data: { project: id, label: label.id },
    colors: { background: label.color, text: textColorOn(label.color) },
  }
}
