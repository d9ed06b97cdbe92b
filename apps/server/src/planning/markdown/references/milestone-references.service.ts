import { decideOnGroup, decideOnProject, type ReferenceTarget, titleReference } from '@stithy/core'
import {
  listMentionedGroups,
  listMentionedMilestones,
  listNumberedMilestones,
  type MilestoneRow,
} from '@stithy/store'
import { webUrl } from '../../../platform/http/urls.ts'
import type { ResolvedReference } from '../../../platform/text/rendering/render-context.ts'
import { milestonePath } from '../../milestones/milestone.presenter.ts'
import {
  findReferenceParents,
  projectPath,
  type Reader,
  type References,
  type ResolvedReferences,
  shortPath,
  viewerOf,
} from './reference-parent.ts'

type MilestoneTarget = Extract<ReferenceTarget, { kind: 'milestone' }>

/** Resolves milestones by iid, or by a title that the project can use. At most four queries. */
export async function findMilestoneReferences(
  reader: Reader,
  references: References<MilestoneTarget>,
): Promise<ResolvedReferences> {
  const found: ResolvedReferences = new Map()
  if (references.size === 0) return found
  const targets = [...references.values()]
  const projects = await readableProjects(reader, targets)
  const groups = await readableGroups(reader, targets)
  const titled = await byTitle(reader, [...projects.values()], targets)
  const numbered = await byNumber(reader, [...projects.values()], [...groups.values()], targets)
  for (const [key, target] of references) {
    const owner = target.inGroup
      ? `group ${groups.get(target.path?.toLowerCase() ?? '')}`
      : `project ${projects.get(projectPath(target, reader) ?? '')}`
    const row =
      target.id === undefined
        ? titled.get(`${owner} ${target.title}`)
        : numbered.get(`${owner} ${target.id}`)
    if (row !== undefined) found.set(key, present(reader, row))
  }
  return found
}

/** Ids by full path, in lower case. */
async function readableProjects(
  reader: Reader,
  targets: readonly MilestoneTarget[],
): Promise<ReadonlyMap<string, number>> {
  const inProjects = targets.filter(({ inGroup }) => !inGroup)
  const parents =
    inProjects.length === 0 ? new Map() : await findReferenceParents(reader, inProjects)
  const readable = [...parents].filter(
    ([, { facts }]) => decideOnProject('read_milestones', reader.caller.facts, facts).allowed,
  )
  return new Map(readable.map(([path, { row }]) => [path, row.id]))
}

/** Ids by full path, in lower case. */
async function readableGroups(
  reader: Reader,
  targets: readonly MilestoneTarget[],
): Promise<ReadonlyMap<string, number>> {
  const inGroups = targets.filter(({ inGroup }) => inGroup)
  const paths = [...new Set(inGroups.flatMap(({ path }) => path?.toLowerCase() ?? []))]
  if (paths.length === 0) return new Map()
  const rows = await listMentionedGroups(reader.app.db, { ...viewerOf(reader), paths })
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
  const rows = await listMentionedMilestones(app.db, { projectIds, titles })
  const nearestLast = rows.toSorted((a, b) => b.distance - a.distance)
  return new Map(nearestLast.map((row) => [`project ${row.scopeId} ${row.title}`, row]))
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
