import type { CallerFacts } from '@stithy/core'
import { sql } from 'kysely'
import type { ViewerArgs } from '../../directory/members/memberships.ts'
import { viewerArgs, viewerKind } from '../../directory/members/visibility.ts'
import { visibleCode } from '../../planning/items/merge-request-visibility.ts'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import {
  type CandidateRow,
  type CodeSearchScope,
  inScope,
  scopeIdOf,
  visibleWikis,
} from './candidate-search.ts'
import type { SearchSourceKind } from './source-store.ts'

/** Repositories or wikis of a scope that a caller may read. */
export interface ReadableQuery {
  kind: SearchSourceKind
  scope: CodeSearchScope
  caller: CallerFacts
  /** Today, `YYYY-MM-DD`. */
  today: string
}

/** Where the repository of a project is. */
export type ReadableRepository = Omit<CandidateRow, 'id' | 'oid' | 'path'>

interface Args extends ViewerArgs {
  scopeId: number
}

/** Lists the ids of projects whose repositories or wikis the caller may read. */
export async function listReadableProjectIds(
  q: Queries,
  query: ReadableQuery & { limit: number },
): Promise<number[]> {
  const args = { ...argsOf(query), limit: query.limit }
  const rows = await q.all(`search.readableIds|${shapeOf(query)}`, args, (db, $) =>
    db
      .selectFrom('projects')
      .select('projects.id')
      .where('projects.deletedAt', 'is', null)
      .where(inScope(query.scope, $))
      .where(readable(query, $))
      .limit($('limit')),
  )
  return rows.map(({ id }) => id)
}

/** Finds those of some projects whose repositories or wikis the caller may read. */
export function findReadableRepositories(
  q: Queries,
  query: ReadableQuery & { projectIds: readonly number[] },
): Promise<ReadableRepository[]> {
  const args = { ...argsOf(query), projectIds: query.projectIds }
  return q.all(`search.readable|${shapeOf(query)}`, args, (db, $) =>
    db
      .selectFrom('projects')
      .select([
        'projects.id as projectId',
        'projects.repositoryStorage',
        'projects.repositoryPath',
        'projects.defaultBranch',
      ])
      .where(inList(sql.ref('projects.id'), $('projectIds')))
      .where('projects.deletedAt', 'is', null)
      .where(inScope(query.scope, $))
      .where(readable(query, $)),
  )
}

function argsOf({ scope, caller, today }: ReadableQuery): Args {
  return { ...viewerArgs(caller, today), scopeId: scopeIdOf(scope) }
}

function shapeOf({ kind, scope, caller }: ReadableQuery): string {
  return `${kind}|${scope.kind}|${viewerKind(caller)}`
}

function readable({ kind, caller }: ReadableQuery, $: Param<ViewerArgs>) {
  const viewer = viewerKind(caller)
  return kind === 'code' ? visibleCode(viewer, $) : visibleWikis(viewer, $)
}
