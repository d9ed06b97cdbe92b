import {
  type CallerFacts,
  decideOnProject,
  notFound,
  type Project,
  type ProjectFacts,
} from '@stithy/core'
import {
  findProject,
  listCustomAttributes,
  listProjectDetails,
  listProjectLevels,
  noLevels,
  type ProjectDetails,
  type ProjectLevels,
  type ProjectRow,
  type ProjectShareRow,
  type SimpleProjectRow,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import { presentProject, presentSimpleProject, type SimpleView } from './project.presenter.ts'
import { projectFacts } from './project-subject.ts'

/** Optional parts of the shape. */
export interface ViewOptions {
  statistics?: boolean | undefined
  /** For administrators only. */
  customAttributes?: boolean | undefined
}

/** Builds the full shapes of projects, with a constant number of queries. */
export async function viewProjects(
  app: App,
  caller: CallerFacts,
  rows: readonly ProjectRow[],
  options: ViewOptions = {},
): Promise<Project[]> {
  if (rows.length === 0) return []
  const projectIds = rows.map((row) => row.id)
  const sourceIds = rows.flatMap((row) => row.forkedFromProjectId ?? [])
  const details = await listProjectDetails(app.db, {
    ids: [...projectIds, ...sourceIds],
    caller,
    today: dayOf(app.now()),
    simple: sourceIds.length > 0,
    statistics: options.statistics === true,
  })
  const attributes =
    options.customAttributes && caller.admin
      ? await listCustomAttributes(app.db, { ownerKind: 'project', ownerIds: projectIds })
      : undefined
  return rows.map((row) => {
    const { levels, shares, statistics } = details.get(row.id) ?? noDetails
    const facts = projectFacts(row, levels, caller)
    return presentProject(app.config, caller, {
      row,
      levels,
      facts,
      shares: visibleShares(caller, facts, shares),
      forkedFrom: viewSource(details.get(row.forkedFromProjectId ?? 0), caller),
      statistics,
      customAttributes: attributes?.filter((entry) => entry.ownerId === row.id),
    })
  })
}

const noDetails: ProjectDetails = Object.freeze({ levels: noLevels, shares: [] })

/** Hides groups that the caller can't read, except from callers who could remove the share. */
function visibleShares(
  caller: CallerFacts,
  facts: ProjectFacts,
  shares: readonly ProjectShareRow[],
): readonly ProjectShareRow[] {
  if (shares.length === 0) return shares
  if (decideOnProject('read_hidden_shares', caller, facts).allowed) return shares
  return shares.filter((share) => share.readable)
}

/** Builds the simple shapes of projects. */
export async function viewSimpleProjects(
  app: App,
  caller: CallerFacts,
  rows: readonly SimpleProjectRow[],
): Promise<Project[]> {
  const ids = rows.map((row) => row.id)
  const levels = await findLevels(app, caller, ids)
  return rows.map((row) => {
    const facts = projectFacts(row, levels.get(row.id) ?? noLevels, caller)
    return presentSimpleProject(app.config, caller, { row, facts })
  })
}

/** Builds a project's shape for the caller: the simple shape without a token, else the full one. */
export async function viewProject(
  app: App,
  caller: CallerFacts,
  row: ProjectRow,
  options: ViewOptions = {},
): Promise<Project> {
  const views =
    caller.userId === null
      ? await viewSimpleProjects(app, caller, [row])
      : await viewProjects(app, caller, [row], options)
  const [view] = views
  if (view === undefined) throw new TypeError('The project was not presented')
  return view
}

async function findLevels(
  app: App,
  caller: CallerFacts,
  ids: readonly number[],
): Promise<Map<number, ProjectLevels>> {
  if (caller.userId === null || ids.length === 0) return new Map()
  const viewer = { userId: caller.userId, today: dayOf(app.now()) }
  const rows = await listProjectLevels(app.db, { ...viewer, ids })
  return new Map(rows.map((row) => [row.id, row]))
}

/** Hides a fork's source that the caller may not read. */
function viewSource(
  source: ProjectDetails | undefined,
  caller: CallerFacts,
): SimpleView | undefined {
  const row = source?.simple
  if (row === undefined) return undefined
  const facts = projectFacts(row, source?.levels ?? noLevels, caller)
  return decideOnProject('read_project', caller, facts).allowed ? { row, facts } : undefined
}

/** Builds a project's shape after a write. @throws DomainError `not_found` */
export async function viewProjectById(app: App, caller: CallerFacts, id: number): Promise<Project> {
  const row = await findProject(app.db, { id })
  if (row === undefined) throw notFound('Project')
  return viewProject(app, caller, row)
}
