import type { IncomingHttpHeaders } from 'node:http'
import {
  type BadgePreview,
  type BadgeUrls,
  type BadgeValues,
  badgeErrors,
  decideOnProject,
  forbidden,
  hasPlaceholder,
  maxBadges,
  notFound,
  validationFailed,
} from '@stithy/core'
import {
  type BadgeColumns,
  type BadgeOwner,
  type BadgeRow,
  countOwnBadges,
  deleteBadge,
  findBadge,
  insertBadge,
  lockProjectOrGroup,
  type Queries,
  updateBadge,
} from '@stithy/store'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireUnmodified } from '../../platform/http/if-unmodified.ts'
import { headOf } from '../revisions/revision.service.ts'
import { renderUrls } from './badge.presenter.ts'

/** Finds a badge that a project or group shows. @throws DomainError `not_found` */
export async function requireBadge(q: Queries, owner: BadgeOwner, id: number): Promise<BadgeRow> {
  const badge = await findBadge(q, owner, id)
  if (badge === undefined) throw notFound('Badge')
  return badge
}

/** @throws DomainError `validation_failed` */
export function addBadge(app: App, owner: BadgeOwner, urls: BadgeUrls): Promise<BadgeRow> {
  checkUrls(urls)
  return app.db.transaction(async (tx) => {
    await lockProjectOrGroup(tx, owner)
    if ((await countOwnBadges(tx, owner)) >= maxBadges) {
      throw validationFailed({ base: [`Maximum number of badges (${maxBadges}) exceeded`] })
    }
    return insertBadge(tx, owner, { ...columnsOf(urls), now: app.now() })
  })
}

/** Changes the given URLs. @throws DomainError `forbidden`, `not_found`, `validation_failed` */
export function changeBadge(
  app: App,
  owner: BadgeOwner,
  id: number,
  urls: Partial<BadgeUrls>,
): Promise<BadgeRow> {
  checkUrls(urls)
  return app.db.transaction(async (tx) => {
    const badge = await requireOwnBadge(tx, owner, id)
    const { link_url = badge.linkUrl, image_url = badge.imageUrl } = urls
    const values = { ...columnsOf({ link_url, image_url }), id, now: app.now() }
    const changed = await updateBadge(tx, values)
    if (changed === undefined) throw notFound('Badge')
    return changed
  })
}

/** @throws DomainError `forbidden`, `not_found`, `precondition_failed` */
export async function removeBadge(
  app: App,
  owner: BadgeOwner,
  id: number,
  headers: IncomingHttpHeaders,
): Promise<void> {
  await app.db.transaction(async (tx) => {
    const badge = await requireOwnBadge(tx, owner, id)
    requireUnmodified(headers, badge.updatedAt)
    await deleteBadge(tx, id)
  })
}

/** Renders URLs that are not stored. @throws DomainError `validation_failed` */
export async function previewBadge(
  urls: BadgeUrls,
  valuesFor: (badges: readonly BadgeColumns[]) => Promise<BadgeValues | undefined>,
): Promise<BadgePreview> {
  checkUrls(urls)
  const columns = columnsOf(urls)
  return renderUrls(columns, await valuesFor([columns]))
}

/**
 * What the placeholders of these badges stand for in a project. The commit is read only if one of
 * them shows it, and only for callers who may read the code.
 */
export async function badgeValues(
  app: App,
  caller: Caller,
  { row, facts }: ProjectSubject,
  badges: readonly BadgeColumns[],
): Promise<BadgeValues> {
  const readsCommit =
    hasPlaceholder('commit_sha', badges) &&
    decideOnProject('read_code', caller.facts, facts).allowed
  return {
    project_path: row.fullPath,
    project_id: String(row.id),
    default_branch: row.defaultBranch ?? undefined,
    commit_sha: readsCommit ? await headOf(app, row) : undefined,
  }
}

/** A badge that isn't inherited from a group. */
async function requireOwnBadge(q: Queries, owner: BadgeOwner, id: number): Promise<BadgeRow> {
  const badge = await requireBadge(q, owner, id)
  if (owner.groupId === undefined && badge.projectId === null) {
    throw forbidden('The badge belongs to a group')
  }
  return badge
}

function checkUrls(urls: Partial<BadgeUrls>): void {
  const errors = badgeErrors(urls)
  if (errors !== undefined) throw validationFailed(errors)
}

function columnsOf({ link_url, image_url }: BadgeUrls): BadgeColumns {
  return { linkUrl: link_url, imageUrl: image_url }
}
