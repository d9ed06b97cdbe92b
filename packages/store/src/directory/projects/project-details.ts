import type { CallerFacts } from '@stithy/core'
import { type Kysely, sql } from 'kysely'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { Row, Schema } from '../../platform/schema/schema.ts'
import { current } from '../members/current.ts'
import type { ViewerArgs } from '../members/memberships.ts'
import { type ViewerKind, viewerArgs, viewerKind, visibleGroups } from '../members/visibility.ts'
import { levelColumns, type ProjectLevels } from './project-access.ts'
import { type SimpleProjectRow, simpleColumns } from './project-row.ts'

/** An active share of a project, with its group. */
export interface ProjectShareRow {
  shareId: number
  groupId: number
  groupName: string
  groupFullPath: string
  groupAccess: number
  /** The last day of the share, `YYYY-MM-DD`. */
  expiresOn: string | null
  /** Whether the caller can read the group itself. */
  readable: boolean
}

/** Sizes in bytes. */
export type StorageSizesRow = Pick<
  Row<'projectStatistics'>,
  | 'storageSize'
  | 'repositorySize'
  | 'wikiSize'
  | 'lfsObjectsSize'
  | 'jobArtifactsSize'
  | 'packagesSize'
>

export interface ProjectStatisticsRow extends StorageSizesRow {
  commitCount: number
}

/** The details of a project for one caller. */
export interface ProjectDetails {
  levels: ProjectLevels
  /** Oldest first. */
  shares: ProjectShareRow[]
  /** If requested. */
  simple?: SimpleProjectRow
  /** If requested. */
  statistics?: ProjectStatisticsRow
}

export interface ProjectDetailsRequest {
  ids: readonly number[]
  caller: CallerFacts
  /** `YYYY-MM-DD` */
  today: string
  simple: boolean
  statistics: boolean
}

/**
 * Lists the details of several projects by id. One query, since lists have a small budget of
 * queries.
 */
export async function listProjectDetails(
  q: Queries,
  request: ProjectDetailsRequest,
): Promise<Map<number, ProjectDetails>> {
  const { ids, caller, today, simple, statistics } = request
  const kind = viewerKind(caller)
  const shape = `projects.details|${kind}${simple ? '|simple' : ''}${statistics ? '|statistics' : ''}`
  const args = { ...viewerArgs(caller, today), ids }
  const rows = await q.all(shape, args, (db, $) => detailRows(db, $, kind, request))
  const details = new Map<number, ProjectDetails>()
  for (const row of rows) {
    const known = details.get(row.id)
    const entry = known ?? detailsOf(row as DetailRow, request)
    if (known === undefined) details.set(row.id, entry)
    if (row.groupFullPath !== null) entry.shares.push(shareOf(row as ShareColumns))
  }
  return details
}

const statisticsColumns = [
  's.commitCount',
  's.storageSize',
  's.repositorySize',
  's.wikiSize',
  's.lfsObjectsSize',
  's.jobArtifactsSize',
  's.packagesSize',
] as const

/** PostgreSQL rejects a column that is selected twice. */
const otherColumns = simpleColumns.filter((column) => column !== 'p.id')

/**
 * A row per share, and one for a project without shares; the levels are computed once per project.
 */
function detailRows(
  db: Kysely<Schema>,
  $: Param<ViewerArgs & { ids: readonly number[] }>,
  kind: ViewerKind,
  { simple, statistics }: ProjectDetailsRequest,
) {
  const own = (root: Pick<Kysely<Schema>, 'selectFrom'>) =>
    root
      .selectFrom('projects as p')
      .innerJoin('namespaces as n', 'n.id', 'p.namespaceId')
      .leftJoin('projectStatistics as s', 's.projectId', 'p.id')
      .where('p.deletedAt', 'is', null)
      .where((eb) => inList(eb.ref('p.id'), $('ids')))
      .select('p.id')
      .select((eb) => levelColumns(eb, $))
      .$if(simple, (query) => query.select(otherColumns))
      .$if(statistics, (query) => query.select(statisticsColumns))
  return db
    .with(
      (cte) => cte('own').materialized(),
      (root) => own(root),
    )
    .selectFrom('own')
    .leftJoin('projectGroupLinks as l', (join) =>
      join.onRef('l.projectId', '=', 'own.id').on(current('l', $)),
    )
    .leftJoin('namespaces as g', (join) =>
      join.onRef('g.id', '=', 'l.groupId').on('g.deletedAt', 'is', null),
    )
    .selectAll('own')
    .select([
      'l.id as shareId',
      'l.groupId',
      'g.name as groupName',
      'g.fullPath as groupFullPath',
      'l.groupAccess',
      'l.expiresOn',
      sql<0 | 1>`case when ${visibleGroups(kind, $, 'g')} then 1 else 0 end`.as('readable'),
    ])
    .orderBy('l.id')
}

type DetailRow = ProjectLevels & SimpleProjectRow & (ProjectStatisticsRow | { commitCount: null })
type ShareColumns = Omit<ProjectShareRow, 'readable'> & { readable: 0 | 1 }

function detailsOf(row: DetailRow, { simple, statistics }: ProjectDetailsRequest): ProjectDetails {
  const details: ProjectDetails = { levels: row, shares: [] }
  if (simple) details.simple = row
  if (statistics && row.commitCount !== null) details.statistics = row
  return details
}

function shareOf(row: ShareColumns): ProjectShareRow {
  const { shareId, groupId, groupName, groupFullPath, groupAccess, expiresOn } = row
  const readable = row.readable === 1
  return { shareId, groupId, groupName, groupFullPath, groupAccess, expiresOn, readable }
}
