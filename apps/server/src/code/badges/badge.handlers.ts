import type { BadgeValues, groupBadgesContract, projectBadgesContract } from '@stithy/core'
import { type BadgeColumns, type BadgeOwner, listBadges } from '@stithy/store'
import type { GroupSubject } from '../../directory/groups/group-subject.ts'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { CallOn, Handlers } from '../../platform/http/call.ts'
import { presentBadge } from './badge.presenter.ts'
import {
  addBadge,
  badgeValues,
  changeBadge,
  previewBadge,
  removeBadge,
  requireBadge,
} from './badge.service.ts'

export const projectBadgeHandlers: Handlers<typeof projectBadgesContract> = {
  async list(call) {
    const found = await listBadges(call.app.db, projectOf(call), call.page)
    const values = await valuesFor(call)(found.items)
    return { ...found, items: found.items.map((row) => presentBadge(row, values)) }
  },

  async render(call) {
    return previewBadge(call.query, valuesFor(call))
  },

  async show(call) {
    const row = await requireBadge(call.app.db, projectOf(call), call.params.badge_id)
    return presentBadge(row, await valuesFor(call)([row]))
  },

  async create(call) {
    const row = await addBadge(call.app, projectOf(call), call.body)
    return presentBadge(row, await valuesFor(call)([row]))
  },

  async update(call) {
    const row = await changeBadge(call.app, projectOf(call), call.params.badge_id, call.body)
    return presentBadge(row, await valuesFor(call)([row]))
  },

  async delete(call) {
    await removeBadge(call.app, projectOf(call), call.params.badge_id, call.headers)
    return undefined
  },
}

export const groupBadgeHandlers: Handlers<typeof groupBadgesContract> = {
  async list({ app, subject, page }) {
    const found = await listBadges(app.db, groupOf(subject), page)
    return { ...found, items: found.items.map((row) => presentBadge(row, undefined)) }
  },

  async render({ query }) {
    return previewBadge(query, async () => undefined)
  },

  async show({ app, subject, params }) {
    return presentBadge(await requireBadge(app.db, groupOf(subject), params.badge_id), undefined)
  },

  async create({ app, subject, body }) {
    return presentBadge(await addBadge(app, groupOf(subject), body), undefined)
  },

  async update({ app, subject, params, body }) {
    const row = await changeBadge(app, groupOf(subject), params.badge_id, body)
    return presentBadge(row, undefined)
  },

  async delete({ app, subject, params, headers }) {
    await removeBadge(app, groupOf(subject), params.badge_id, headers)
    return undefined
  },
}

function projectOf({ subject: { row } }: { subject: ProjectSubject }): BadgeOwner {
  return { projectId: row.id, namespaceId: row.namespaceId }
}

function groupOf({ row }: GroupSubject): BadgeOwner {
  return { groupId: row.id }
}

/** Reads what the placeholders of badges stand for in the project of a call. */
function valuesFor({ app, caller, subject }: CallOn<ProjectSubject>) {
  return (badges: readonly BadgeColumns[]): Promise<BadgeValues> =>
    badgeValues(app, caller, subject, badges)
}
