import {
  type CallerFacts,
  decideOnProject,
  notFound,
  type ProjectFacts,
  parsePathOrId,
  projectPolicy,
} from '@stithy/core'
import {
  effectiveLevel,
  findProject,
  findProjectFor,
  noLevels,
  type ProjectKey,
  type ProjectLevels,
  type SimpleProjectRow,
  type ProjectRow as StoredProject,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import { enforce } from '../../platform/http/authorize.ts'
import { subjectType } from '../../platform/http/subjects.ts'
import { followRedirects } from '../redirects/moved-path.service.ts'

declare module '../../platform/http/subjects.ts' {
  interface Subjects {
    project: ProjectSubject
  }
}

/** A project with its namespace, and the caller's levels in it. */
export interface ProjectRow extends StoredProject, ProjectLevels {}

/** The project named by the path, with the facts that the policy needs. */
export interface ProjectSubject {
  row: ProjectRow
  facts: ProjectFacts
}

/**
 * Loads a project by id or full path with the caller's facts, whether it is visible to them or not;
 * one query. A path without a slash never names a project.
 */
export async function loadProject(
  app: App,
  ref: string,
  caller: { facts: CallerFacts },
): Promise<ProjectSubject | undefined> {
  const key = projectKey(ref)
  if (key === undefined) return undefined
  const { userId } = caller.facts
  if (userId === null) {
    const row = await findProject(app.db, key)
    return row && projectSubject({ ...row, ...noLevels }, caller.facts)
  }
  const viewer = { userId, today: dayOf(app.now()) }
  const row = await findProjectFor(app.db, key, viewer)
  return row && projectSubject(row, caller.facts)
}

/** The subject type of `:id` in project endpoints. */
export const projectSubjectType = subjectType({
  policy: projectPolicy,
  async find({ app, caller, ref, abilities }) {
    const project = await loadProject(app, ref, caller)
    if (project === undefined || !abilities.includes('push_to_branch')) return project
    const branches = await collaborationBranches(app, caller, project)
    return { ...project, facts: { ...project.facts, collaborates: branches.size > 0 } }
  },
  async findMoved({ app, caller, ref }) {
    const path = ref.includes('/') ? await followRedirects(app.db, ref) : undefined
    return path === undefined ? undefined : (await loadProject(app, path, caller))?.row.id
  },
  factsOf: ({ facts }: ProjectSubject) => facts,
})

declare module '../../platform/app.ts' {
  interface App {
    /**
     * The branches of a project that the caller may push to because their merge requests allow the
     * members of the target to do so.
     */
    sharedBranches: (
      app: App,
      caller: { facts: CallerFacts },
      project: ProjectSubject,
    ) => Promise<ReadonlySet<string>>
  }
}

const none: ReadonlySet<string> = new Set()

/**
 * The branches that the caller, who may not push to the project otherwise, may push to because
 * their merge requests allow it. No query unless that is possible at all.
 */
export async function collaborationBranches(
  app: App,
  caller: { facts: CallerFacts },
  project: ProjectSubject,
): Promise<ReadonlySet<string>> {
  const { row, facts } = project
  const isForked = row.forkedFromProjectId !== null || row.forksCount > 0
  if (caller.facts.userId === null || !isForked || row.visibility === 'private') return none
  const may = (collaborates: boolean) =>
    decideOnProject('push_to_branch', caller.facts, { ...facts, collaborates }).allowed
  return may(true) && !may(false) ? app.sharedBranches(app, caller, project) : none
}

/** Loads a project that the caller may see. @throws DomainError `not_found` */
export async function requireProject(
  app: App,
  ref: string,
  caller: { facts: CallerFacts },
): Promise<ProjectSubject> {
  const project = await loadProject(app, ref, caller)
  if (project === undefined) throw notFound('Project')
  enforce(projectPolicy.decide('read_project', caller.facts, project.facts), caller, 'Project')
  return project
}

/** Parses a reference to a project; undefined for a text that can't be one. */
function projectKey(ref: string): ProjectKey | undefined {
  const key = parsePathOrId(ref)
  return key === undefined || 'id' in key || ref.includes('/') ? key : undefined
}

/** Adds the policy's facts to a row. */
function projectSubject(row: ProjectRow, caller: CallerFacts): ProjectSubject {
  return { row, facts: projectFacts(row, row, caller) }
}

/** The facts that the policy needs of a project. */
export function projectFacts(
  row: SimpleProjectRow,
  levels: ProjectLevels,
  caller: CallerFacts,
): ProjectFacts {
  return {
    visibility: row.visibility,
    archived: row.archived === 1,
    level: effectiveLevel(levels, row.namespaceOwnerId, caller.userId),
    features: {
      issues: row.issuesAccessLevel,
      repository: row.repositoryAccessLevel,
      merge_requests: row.mergeRequestsAccessLevel,
      builds: row.buildsAccessLevel,
      wiki: row.wikiAccessLevel,
      snippets: row.snippetsAccessLevel,
    },
  }
}
