import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { ViewerArgs } from '../../directory/members/memberships.ts'
import { memberProjects, type ViewerKind } from '../../directory/members/visibility.ts'
import {
  availableFeature,
  type FeatureSwitch,
  readableFeature,
} from '../../directory/projects/feature-visibility.ts'
import type { Param } from '../../platform/queries/queries.ts'
import { unindexed } from '../../platform/queries/sql.ts'
import type { Schema } from '../../platform/schema/schema.ts'

type Predicate = Expression<SqlBool>
type Viewer = Param<ViewerArgs>
const eb = expressionBuilder<Schema, 'projects' | 'mergeRequests'>()

/** Access to merge requests requires access to the repository. */
const mergeRequestSwitches: readonly FeatureSwitch[] = [
  'repositoryAccessLevel',
  'mergeRequestsAccessLevel',
]

/** The SQL equivalent of `read_code`, over `projects` that are not deleted. */
export function visibleCode(kind: ViewerKind, $: Viewer): Predicate {
  return readableFeature(kind, $, { switches: ['repositoryAccessLevel'], level: 20 })
}

/** The SQL equivalent of `read_merge_requests`, over `projects` that are not deleted. */
export function visibleMergeRequestProjects(kind: ViewerKind, $: Viewer): Predicate {
  return readableFeature(kind, $, { switches: mergeRequestSwitches, level: 20 })
}

/**
 * The SQL equivalent of `read_merge_request`, over `mergeRequests` with their `projects`, which are
 * not deleted.
 */
export function visibleMergeRequests(kind: ViewerKind, $: Viewer): Predicate {
  const inProject = visibleMergeRequestProjects(kind, $)
  if (kind === 'admin' || kind === 'anonymous') return inProject
  const assigned = eb
    .selectFrom('mergeRequestAssignees as own')
    .whereRef('own.mergeRequestId', '=', 'mergeRequests.id')
    .where('own.userId', '=', $('userId'))
    .select('own.userId')
  const own = eb.and([
    eb.or([eb(unindexed<number>('mergeRequests.authorId'), '=', $('userId')), eb.exists(assigned)]),
    availableFeature(mergeRequestSwitches),
    memberProjects(10, $, 'projects', 'scan'),
  ])
  return eb.or([inProject, own])
}
