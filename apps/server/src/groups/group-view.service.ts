import { type CallerFacts, type Group, type GroupDetails, notFound } from '@stithy/core'
import {
  findGroup,
  type GroupRow,
  listCustomAttributes,
  listGroupStatistics,
  type ProjectPlace,
} from '@stithy/store'
import type { App } from '../app.ts'
import { pageOfProjects } from '../projects/list/project-list.service.ts'
import { presentGroup, presentGroupDetails } from './group.presenter.ts'

/** What to show beyond the stored columns; only administrators get it. */
export interface GroupViewOptions {
  statistics?: boolean | undefined
  customAttributes?: boolean | undefined
}

/** The details view lists this many projects of each kind. */
const shownProjects = { page: 1, perPage: 100 }

/** Groups as lists show them, with a constant number of queries whatever their number. */
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

/** One group with the projects in it and those shared with it that the caller can see. */
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
  const of = async (place: ProjectPlace) =>
    (await pageOfProjects(app, caller, place, {}, shownProjects)).items
  const projects = await of({ kind: 'group', groupId: row.id, subgroups: false, shared: false })
  const sharedProjects = await of({ kind: 'shared-with', groupId: row.id })
  return presentGroupDetails(app.config, view, { projects, sharedProjects })
}

/** A group after a write, as the caller sees it. @throws DomainError `not_found` */
export async function viewGroupById(
  app: App,
  caller: CallerFacts,
  id: number,
): Promise<GroupDetails> {
  const row = await findGroup(app.db, { id })
  if (row === undefined) throw notFound('Group')
  return viewGroup(app, caller, row)
}
