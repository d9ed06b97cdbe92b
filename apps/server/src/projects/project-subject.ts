import type { CallerFacts, ProjectFacts } from '@stithy/core'
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
import type { App } from '../app.ts'
import { dayOf } from '../members/day.ts'

/** A project with its namespace, and the caller's levels in it. */
export interface ProjectRow extends StoredProject, ProjectLevels {}

/** The project that a path names, loaded once, with what the policy needs to know of it. */
export interface ProjectSubject {
  row: ProjectRow
  facts: ProjectFacts
}

/**
 * The project of an id or a full path, with the facts of the caller, whether visible to them or not;
 * one query. A path without a slash is never a project's (catalogue: projects).
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

/** What a reference to a project can mean; undefined where it can be none. */
function projectKey(ref: string): ProjectKey | undefined {
  if (/^\d{1,15}$/.test(ref)) return { id: Number(ref) }
  return ref.includes('/') ? { fullPathLower: ref.toLowerCase() } : undefined
}

/** A project as the policy sees it. */
function projectSubject(row: ProjectRow, caller: CallerFacts): ProjectSubject {
  return { row, facts: projectFacts(row, row, caller) }
}

/** What the policy needs to know of a project. */
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
