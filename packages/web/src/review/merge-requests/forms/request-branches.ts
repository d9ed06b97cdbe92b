import type { Project } from '@stithy/core'
import { loadAll } from '../../../platform/pages/load-all.ts'
import { type PageCall, projectPath } from '../../../platform/pages/page-call.ts'
import { isArchivedRefusal, isForbidden } from '../../../platform/pages/refusal.ts'

/** What a new merge request compares. */
export interface RequestBranches {
  source: Project
  target: Project
  /** '' until it is chosen. */
  sourceBranch: string
  targetBranch: string
}

/** Projects between which a merge request may be opened from a page of one of them. */
export interface RequestProjects {
  sources: readonly Project[]
  targets: readonly Project[]
}

/**
 * Whether the viewer may open a merge request from a page of a project: of its branches, or of those
 * of a fork of theirs.
 * @throws StithyError as the API refuses it
 */
export async function mayCreateRequest(call: PageCall): Promise<void> {
  const { client, permits } = call
  const projectId = projectPath(call)
  try {
    await permits.mergeRequests.create({ projectId })
  } catch (error) {
    if (!isForbidden(error) || isArchivedRefusal(error)) throw error
    const [forks] = await loadAll([
      client.projects.forks.list({ projectId, membership: true, per_page: 1 }),
      permits.mergeRequests.list({ projectId }),
    ])
    if (forks.items.length === 0) throw error
  }
}

/** The project, the forks of it that the viewer is a member of, and what it was forked from. */
export async function loadRequestProjects(
  call: PageCall,
  project: Project,
): Promise<RequestProjects> {
  const { client } = call
  const parent = project.forked_from_project
  const [forks, target] = await loadAll([
    client.projects.forks.list({
      projectId: project.id,
      membership: true,
      order_by: 'last_activity_at',
    }),
    parent === undefined ? undefined : client.projects.show({ projectId: parent.id }),
  ])
  return {
    sources: [project, ...forks.items],
    targets: target === undefined ? [project] : [target, project],
  }
}

/**
 * The branches that an address or a form names, as `merge_request[source_branch]` and the like; the
 * target is by default what the project was forked from, and its default branch.
 */
export function branchesIn(
  value: (name: string) => string,
  project: Project,
  { sources, targets }: RequestProjects,
): RequestBranches {
  const find = (projects: readonly Project[], name: string) =>
    projects.find(({ id }) => String(id) === value(name))
  const source = find(sources, 'source_project_id') ?? project
  const isFork = source.id !== project.id
  const target = find(targets, 'target_project_id') ?? (isFork ? project : (targets[0] ?? project))
  return {
    source,
    target,
    sourceBranch: value('source_branch'),
    targetBranch: value('target_branch') || (target.default_branch ?? ''),
  }
}
