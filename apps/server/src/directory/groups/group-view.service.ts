import { type CallerFacts, type Group, type GroupDetails, notFound } from '@stithy/core'
import {
  findGroup,
  type GroupRow,
  listCustomAttributes,
  listGroupShares,
  listGroupStatistics,
  type ProjectListScope,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import { loadProjectsPage } from '../projects/list/project-list.service.ts'
import { presentGroup, presentGroupDetails } from './group.presenter.ts'

/** Optional parts of the shape; only administrators get them. */
export interface GroupViewOptions {
  statistics?: boolean | undefined
  customAttributes?: boolean | undefined
}

/** The details view lists at most this many projects of each kind. */
const maxShownProjects = { page: 1, perPage: 100 }

/** Builds the list shape of groups, with a constant number of queries. */
export async function viewGroups(
  app: App,
  caller: CallerFacts,
  rows: readonly GroupRow[],
  options: GroupViewOptions = {},
): Promise<Group[]> {
  const ids = rows.map((row) => row.id)
  const statistics =
    options.statistics && caller.admin
      ? await listGroupStatistics(app.db, { groupIds: ids })
      : undefined
  const attributes =
    options.customAttributes && caller.admin
      ? await listCustomAttributes(app.db, { ownerKind: 'group', ownerIds: ids })
      : undefined
  return rows.map((row) =>
    presentGroup(app.config, {
      row,
      statistics: statistics && { row: statistics.find((entry) => entry.groupId === row.id) },
      customAttributes: attributes?.filter((entry) => entry.ownerId === row.id),
    }),
  )
}

/**
 * Builds the details of a group, with its own and its shared projects and the groups it is shared
 * with, as far as they are visible to the caller.
 */
export async function viewGroup(
  app: App,
  caller: CallerFacts,
  row: GroupRow,
  options: { customAttributes?: boolean | undefined; projects?: boolean | undefined } = {},
): Promise<GroupDetails> {
  const attributes =
    options.customAttributes && caller.admin
      ? await listCustomAttributes(app.db, { ownerKind: 'group', ownerIds: [row.id] })
      : undefined
  const view = { row, customAttributes: attributes }
  if (options.projects === false) return presentGroup(app.config, view)
  const of = async (scope: ProjectListScope) =>
    (await loadProjectsPage(app, caller, scope, {}, maxShownProjects)).items
  const projects = await of({ kind: 'group', groupId: row.id, subgroups: false, shared: false })
  const sharedProjects = await of({ kind: 'shared-with', groupId: row.id })
  const today = dayOf(app.now())
  const shares = await listGroupShares(app.db, { groupId: row.id, caller, today })
  return presentGroupDetails(app.config, view, { projects, sharedProjects, shares })
}

/** Builds the shape of a group after a write. @throws DomainError `not_found` */
export async function viewGroupById(
  app: App,
  caller: CallerFacts,
  id: number,
): Promise<GroupDetails> {
  const row = await findGroup(app.db, { id })
  if (row === undefined) throw notFound('Group')
  return viewGroup(app, caller, row)
}
