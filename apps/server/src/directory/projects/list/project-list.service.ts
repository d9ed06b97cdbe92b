import {
  type CallerFacts,
  forbidden,
  invalidParameter,
  type Project,
  type projectsContract,
  type QueryOf,
} from '@stithy/core'
import {
  listProjects,
  listProjectsSimply,
  type Page,
  type PageRequest,
  type ProjectListRequest,
  type ProjectListScope,
} from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import { dayOf } from '../../../platform/calendar/day.ts'
import { tierAllows } from '../../../platform/config/config.ts'
import { viewProjects, viewSimpleProjects } from '../project-view.service.ts'

/** All filters of project lists. */
export type ProjectListQuery = Partial<QueryOf<typeof projectsContract.list>>

/** Maximum number of custom attributes in a filter. */
const maxAttributes = 20

/** Lists projects visible to the caller, in the shape that the caller gets. */
export async function loadProjectsPage(
  app: App,
  caller: CallerFacts,
  scope: ProjectListScope,
  query: ProjectListQuery,
  page: PageRequest,
): Promise<Page<Project>> {
  const request = listRequest(app, caller, scope, query)
  if (caller.userId === null || query.simple) {
    const rows = await listProjectsSimply(app.db, request, page)
    return { ...rows, items: await viewSimpleProjects(app, caller, rows.items) }
  }
  const rows = await listProjects(app.db, request, page)
  const options = {
    statistics: query.statistics,
    customAttributes: query.with_custom_attributes,
  }
  return { ...rows, items: await viewProjects(app, caller, rows.items, options) }
}

function listRequest(
  app: App,
  caller: CallerFacts,
  scope: ProjectListScope,
  query: ProjectListQuery,
): ProjectListRequest {
  checkTier(app, query)
  return {
    caller,
    today: dayOf(app.now()),
    scope,
    archived: query.archived,
    visibility: query.visibility,
    search: query.search,
    owned: query.owned,
    membership: query.membership,
    starred: query.starred,
    minAccessLevel: query.min_access_level,
    withIssues: query.with_issues_enabled,
    withMergeRequests: query.with_merge_requests_enabled,
    language: query.with_programming_language,
    wikiChecksumFailed: query.wiki_checksum_failed || undefined,
    repositoryChecksumFailed: query.repository_checksum_failed || undefined,
    customAttributes: attributeFilter(caller, query.custom_attributes),
    ids: query.ids,
    idAfter: query.id_after,
    idBefore: query.id_before,
    orderBy: query.order_by,
    sort: query.sort,
  }
}

/** Filtering by checksum is a paid feature. @throws DomainError `forbidden` */
function checkTier(app: App, query: ProjectListQuery): void {
  const filtersByChecksum = query.wiki_checksum_failed || query.repository_checksum_failed
  if (filtersByChecksum && !tierAllows(app.config.tier, 'premium')) throw forbidden()
}

/** Only administrators filter by custom attributes; the parameter of other callers is ignored. */
export function attributeFilter(
  caller: CallerFacts,
  attributes: Record<string, string> | undefined,
): Record<string, string> | undefined {
  if (!caller.admin || attributes === undefined) return undefined
  if (Object.keys(attributes).length > maxAttributes) {
    throw invalidParameter('custom_attributes is invalid')
  }
  return attributes
}
