import { type Kysely, sql } from 'kysely'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { Schema } from '../../platform/schema/schema.ts'

/** The ids that system notes mention, by type. */
export interface MentionedIds {
  userIds: readonly number[]
  issueIds: readonly number[]
  mergeRequestIds: readonly number[]
  snippetIds: readonly number[]
  epicIds: readonly number[]
  projectIds: readonly number[]
  /** Group milestones, and the projects that may be able to use them. */
  milestoneIds: readonly number[]
  milestoneProjectIds: readonly number[]
}

/** The current name of a mentioned item. */
export interface MentionedName {
  kind: 'user' | 'issue' | 'merge_request' | 'snippet' | 'epic' | 'project' | 'milestone'
  id: number
  /** The id for a snippet; 0 for types without an iid. */
  iid: number
  /**
   * The username, the full path of a project or of an item's parent, or the title of a milestone;
   * null for a personal snippet.
   */
  name: string | null
  /**
   * The project of an item, the group of an epic, the namespace of a project, or a project that can
   * use the milestone; null for a user and a personal snippet.
   */
  scopeId: number | null
}

/**
 * Lists the current names of what system notes mention, if it still exists, in no particular order:
 * a group milestone once for each of the projects that can use it. One query.
 */
export function listMentionedNames(q: Queries, ids: MentionedIds): Promise<MentionedName[]> {
  return q.all('system-notes.names', { ...ids }, (db, $) =>
    users(db, $)
      .unionAll(issues(db, $))
      .unionAll(mergeRequests(db, $))
      .unionAll(snippets(db, $))
      .unionAll(epics(db, $))
      .unionAll(projects(db, $))
      .unionAll(milestones(db, $)),
  )
}

type Ids = Param<MentionedIds>

function kind(value: MentionedName['kind']) {
  return sql<MentionedName['kind']>`${sql.lit(value)}`.as('kind')
}

const noIid = sql<number>`cast(0 as bigint)`.as('iid')

function users(db: Kysely<Schema>, $: Ids) {
  return db
    .selectFrom('users')
    .where(inList('users.id', $('userIds')))
    .select([kind('user'), 'users.id', noIid])
    .select(sql<string | null>`${sql.ref('users.username')}`.as('name'))
    .select(sql<number | null>`cast(null as bigint)`.as('scopeId'))
}

function issues(db: Kysely<Schema>, $: Ids) {
  return db
    .selectFrom('issues')
    .innerJoin('projects', 'projects.id', 'issues.projectId')
    .where(inList('issues.id', $('issueIds')))
    .select([kind('issue'), 'issues.id', 'issues.iid'])
    .select(['projects.fullPath as name', 'issues.projectId as scopeId'])
}

function mergeRequests(db: Kysely<Schema>, $: Ids) {
  return db
    .selectFrom('mergeRequests')
    .innerJoin('projects', 'projects.id', 'mergeRequests.projectId')
    .where(inList('mergeRequests.id', $('mergeRequestIds')))
    .select([kind('merge_request'), 'mergeRequests.id', 'mergeRequests.iid'])
    .select(['projects.fullPath as name', 'mergeRequests.projectId as scopeId'])
}

function snippets(db: Kysely<Schema>, $: Ids) {
  return db
    .selectFrom('snippets')
    .leftJoin('projects', 'projects.id', 'snippets.projectId')
    .where(inList('snippets.id', $('snippetIds')))
    .select([kind('snippet'), 'snippets.id', 'snippets.id as iid'])
    .select(['projects.fullPath as name', 'snippets.projectId as scopeId'])
}

function epics(db: Kysely<Schema>, $: Ids) {
  return db
    .selectFrom('epics')
    .innerJoin('namespaces', 'namespaces.id', 'epics.groupId')
    .where(inList('epics.id', $('epicIds')))
    .select([kind('epic'), 'epics.id', 'epics.iid'])
    .select(['namespaces.fullPath as name', 'epics.groupId as scopeId'])
}

function projects(db: Kysely<Schema>, $: Ids) {
  return db
    .selectFrom('projects')
    .where(inList('projects.id', $('projectIds')))
    .select([kind('project'), 'projects.id', noIid])
    .select(['projects.fullPath as name', 'projects.namespaceId as scopeId'])
}

function milestones(db: Kysely<Schema>, $: Ids) {
  return db
    .selectFrom('projects')
    .innerJoin('namespaceAncestors as above', 'above.descendantId', 'projects.namespaceId')
    .innerJoin('milestones', 'milestones.groupId', 'above.ancestorId')
    .where(inList('projects.id', $('milestoneProjectIds')))
    .where(inList('milestones.id', $('milestoneIds')))
    .select([kind('milestone'), 'milestones.id', 'milestones.iid'])
    .select(['milestones.title as name', 'projects.id as scopeId'])
}
