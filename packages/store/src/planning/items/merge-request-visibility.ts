import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { ViewerArgs } from '../../directory/members/memberships.ts'
import { memberProjects, type ViewerKind } from '../../directory/members/visibility.ts'
import {
  availableFeature,
  type FeatureSwitch,
  openFeature,
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

function existing(): Predicate {
  return sql`projects."deletedAt" is null`
}

/** Projects with merge requests enabled. */
export function availableMergeRequestProjects(): Predicate {
  return eb.and([existing(), availableFeature(mergeRequestSwitches)])
}

/** Projects whose merge requests all callers of this kind can see without a membership. */
export function openMergeRequestProjects(kind: ViewerKind): Predicate {
  if (kind === 'admin') return availableMergeRequestProjects()
  return eb.and([existing(), openFeature(kind, mergeRequestSwitches)])
}

/**
 * The SQL equivalent of `read_merge_request`, over `mergeRequests` with their `projects`, which are
 * not deleted.
 */
export function visibleMergeRequests(kind: ViewerKind, $: Viewer): Predicate {
  const inProject = visibleMergeRequestProjects(kind, $)
  if (kind === 'admin' || kind === 'anonymous') return inProject
  const own = eb.and([
    ownMergeRequest($),
    availableFeature(mergeRequestSwitches),
    memberProjects(10, $, 'projects', 'scan'),
  ])
  return eb.or([inProject, own])
}

/** `visibleMergeRequests` that leaves out deleted projects, for lists. */
export function listedMergeRequests(kind: ViewerKind, $: Viewer): Predicate {
  return eb.and([existing(), visibleMergeRequests(kind, $)])
}

/** Whether the user wrote the merge request or is assigned to it. */
export function ownMergeRequest($: Viewer): Predicate {
  const assigned = eb
    .selectFrom('mergeRequestAssignees as own')
    .whereRef('own.mergeRequestId', '=', 'mergeRequests.id')
    .where('own.userId', '=', $('userId'))
    .select('own.userId')
  const written = eb(unindexed<number>('mergeRequests.authorId'), '=', $('userId'))
  return eb.or([written, eb.exists(assigned)])
}
