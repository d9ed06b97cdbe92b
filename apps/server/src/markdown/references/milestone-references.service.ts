import { decideOnGroup, decideOnProject, type ReferenceTarget, titleReference } from '@stithy/core'
import {
  listNamedGroups,
  listNamedMilestones,
  listNumberedMilestones,
  type MilestoneRow,
} from '@stithy/store'
import { webUrl } from '../../http/urls.ts'
import { milestonePath } from '../../milestones/milestone.presenter.ts'
import type { ResolvedReference } from '../rendering/render-context.ts'
import {
  type Found,
  findPlaces,
  placeOf,
  type Reader,
  shortPath,
  viewerOf,
  type Wanted,
} from './reference-place.ts'

type MilestoneTarget = Extract<ReferenceTarget, { kind: 'milestone' }>

/** Milestones by number, or by a title that the project can use. At most four queries. */
export async function findMilestoneReferences(
  reader: Reader,
  wanted: Wanted<MilestoneTarget>,
): Promise<Found> {
  const found: Found = new Map()
  if (wanted.size === 0) return found
  const targets = [...wanted.values()]
  const projects = await readableProjects(reader, targets)
  const groups = await readableGroups(reader, targets)
  const titled = await byTitle(reader, [...projects.values()], targets)
  const numbered = await byNumber(reader, [...projects.values()], [...groups.values()], targets)
  for (const [key, target] of wanted) {
    const owner = target.inGroup
      ? `group ${groups.get(target.path?.toLowerCase() ?? '')}`
      : `project ${projects.get(placeOf(target, reader) ?? '')}`
    const row =
      target.id === undefined
        ? titled.get(`${owner} ${target.title}`)
        : numbered.get(`${owner} ${target.id}`)
    if (row !== undefined) found.set(key, present(reader, row))
  }
  return found
}

/** Ids by path. */
async function readableProjects(
  reader: Reader,
  targets: readonly MilestoneTarget[],
): Promise<ReadonlyMap<string, number>> {
  const inProjects = targets.filter(({ inGroup }) => !inGroup)
  const places = inProjects.length === 0 ? new Map() : await findPlaces(reader, inProjects)
  const readable = [...places].filter(
    ([, { facts }]) => decideOnProject('read_milestones', reader.caller.facts, facts).allowed,
  )
  return new Map(readable.map(([path, { row }]) => [path, row.id]))
}

/** Ids by path. */
async function readableGroups(
  reader: Reader,
  targets: readonly MilestoneTarget[],
): Promise<ReadonlyMap<string, number>> {
  const inGroups = targets.filter(({ inGroup }) => inGroup)
  const paths = [...new Set(inGroups.flatMap(({ path }) => path?.toLowerCase() ?? []))]
  if (paths.length === 0) return new Map()
  const rows = await listNamedGroups(reader.app.db, { ...viewerOf(reader), paths })
  const readable = rows.filter(({ visibility, level }) => {
    const facts = { visibility, level: level ?? 0, holdsReadableProject: false }
    return decideOnGroup('read_group_milestones', reader.caller.facts, facts).allowed
  })
  return new Map(readable.map(({ id, fullPath }) => [fullPath.toLowerCase(), id]))
}

async function byTitle(
  { app }: Reader,
  projectIds: readonly number[],
  targets: readonly MilestoneTarget[],
): Promise<ReadonlyMap<string, MilestoneRow>> {
  const titles = targets.flatMap(({ title }) => title ?? [])
  if (titles.length === 0 || projectIds.length === 0) return new Map()
  const rows = await listNamedMilestones(app.db, { projectIds, titles })
  const nearestLast = rows.toSorted((a, b) => b.distance - a.distance)
  return new Map(nearestLast.map((row) => [`project ${row.placeId} ${row.title}`, row]))
}

async function byNumber(
  { app }: Reader,
  projectIds: readonly number[],
  groupIds: readonly number[],
  targets: readonly MilestoneTarget[],
): Promise<ReadonlyMap<string, MilestoneRow>> {
  const iids = targets.flatMap(({ id }) => id ?? [])
  if (iids.length === 0 || projectIds.length + groupIds.length === 0) return new Map()
  const rows = await listNumberedMilestones(app.db, { projectIds, groupIds, iids })
  const ownerOf = ({ projectId, groupId }: MilestoneRow) =>
    projectId === null ? `group ${groupId}` : `project ${projectId}`
  return new Map(rows.map((row) => [`${ownerOf(row)} ${row.iid}`, row]))
}

function present(reader: Reader, row: MilestoneRow): ResolvedReference {
  const near = row.projectId === null ? '' : shortPath(row.ownerFullPath, reader)
  return {
    kind: 'milestone',
    href: webUrl(reader.app.config, milestonePath(row)),
    title: row.title,
    text: `${near}${titleReference('%', row.title)}`,
    data: {
      ...(row.projectId === null ? { group: row.groupId ?? 0 } : { project: row.projectId }),
      milestone: row.id,
    },
  }
}
