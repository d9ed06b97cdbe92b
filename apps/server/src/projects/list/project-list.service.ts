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
  type ProjectPlace,
} from '@stithy/store'
import type { App } from '../../app.ts'
import { tierAllows } from '../../config/config.ts'
import { dayOf } from '../../members/day.ts'
import { viewProjects, viewSimpleProjects } from '../project-view.service.ts'

/** Every filter that any list of projects takes. */
export type ProjectListQuery = Partial<QueryOf<typeof projectsContract.list>>

/** More custom attributes than anybody filters by. */
const maxAttributes = 20

/** A page of the projects that the caller may see, in the shape that they get. */
export async function pageOfProjects(
  app: App,
  caller: CallerFacts,
  place: ProjectPlace,
  query: ProjectListQuery,
  page: PageRequest,
): Promise<Page<Project>> {
  const request = listRequest(app, caller, place, query)
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
  place: ProjectPlace,
  query: ProjectListQuery,
): ProjectListRequest {
  checkTier(app, query)
  return {
    caller,
    today: dayOf(app.now()),
    place,
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
    idAfter: query.id_after,
    idBefore: query.id_before,
    orderBy: query.order_by,
    sort: query.sort,
  }
}

/** Checksums belong to a paid feature. @throws DomainError `forbidden` */
function checkTier(app: App, query: ProjectListQuery): void {
  const asked = query.wiki_checksum_failed || query.repository_checksum_failed
  if (asked && !tierAllows(app.config.tier, 'premium')) throw forbidden()
}

/** Only administrators filter by custom attributes; for others the filter does not exist. */
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
