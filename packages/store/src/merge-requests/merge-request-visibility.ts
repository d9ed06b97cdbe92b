import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import { availableFeature, type FeatureSwitch, readableFeature } from '../feature-visibility.ts'
import type { ViewerArgs } from '../memberships.ts'
import type { Param } from '../queries.ts'
import type { Schema } from '../schema/schema.ts'
import { unindexed } from '../sql.ts'
import { memberProjects, type ViewerKind } from '../visibility.ts'

type Predicate = Expression<SqlBool>
type Viewer = Param<ViewerArgs>
const eb = expressionBuilder<Schema, 'projects' | 'mergeRequests'>()

/** Merge requests go with the repository (catalogue: permissions, rule 5). */
const mergeRequestSwitches: readonly FeatureSwitch[] = [
  'repositoryAccessLevel',
  'mergeRequestsAccessLevel',
]

/** The SQL twin of `read_code`, over `projects` that are there. */
export function visibleCode(kind: ViewerKind, $: Viewer): Predicate {
  return readableFeature(kind, $, { switches: ['repositoryAccessLevel'], level: 20 })
}

/** The SQL twin of `read_merge_requests`, over `projects` that are there. */
export function visibleMergeRequestProjects(kind: ViewerKind, $: Viewer): Predicate {
  return readableFeature(kind, $, { switches: mergeRequestSwitches, level: 20 })
}

/** The SQL twin of `read_merge_request`, over `mergeRequests` with their `projects`, which are there. */
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
