import { AccessLevel, type Project } from '@stithy/core'
import { ifPermitted } from '../../../platform/pages/if-permitted.ts'
import { loadAll } from '../../../platform/pages/load-all.ts'
import { type PageCall, projectPath } from '../../../platform/pages/page-call.ts'
import {
  forbidden,
  isArchivedRefusal,
  isForbidden,
  missing,
} from '../../../platform/pages/refusal.ts'

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
  const { permits } = call
  const projectId = projectPath(call)
  try {
    await permits.mergeRequests.create({ projectId })
  } catch (error) {
    if (!isForbidden(error) || isArchivedRefusal(error)) throw error
    const [forks] = await loadAll([
      listOwnForks(call, projectId),
      permits.mergeRequests.list({ projectId }),
    ])
    if (forks.length === 0) throw error
  }
}

/** The forks of a project from which the viewer may open merge requests as a member. */
async function listOwnForks(
  { client }: PageCall,
  projectId: string | number,
): Promise<readonly Project[]> {
  const forks = await client.projects.forks.list({
    projectId,
    membership: true,
    min_access_level: AccessLevel.developer,
    with_merge_requests_enabled: true,
    archived: false,
    order_by: 'last_activity_at',
    per_page: 100,
  })
  return forks.items
}

/**
 * The project, the forks of it that the viewer is a member of, and what it was forked from, each if
 * the API accepts a merge request of the viewer from it, or into it.
 * @param named the id of the source that an address or a form names; ''
 * @throws StithyError 403 if there is no source, and as the API refuses the one that is named
 */
export async function loadRequestProjects(
  call: PageCall,
  project: Project,
  named: string,
): Promise<RequestProjects> {
  const { permits } = call
  const { id: projectId, forked_from_project: parent } = project
  const [isSource, forks, target] = await loadAll([
    ifPermitted(permits.mergeRequests.create({ projectId }).then(() => true)),
    listOwnForks(call, projectId),
    parent === undefined ? undefined : findTarget(call, parent.id),
  ])
  const sources = isSource === true ? [project, ...forks] : forks
  const isListed = named === '' || sources.some(({ id }) => String(id) === named)
  const more = isListed ? [] : [await loadFork(call, project, named)]
  if (sources.length + more.length === 0) throw forbidden()
  return {
    sources: [...sources, ...more],
    targets: target === undefined ? [project] : [target, project],
  }
}

/** What a project was forked from, unless the viewer may open no merge requests there. */
async function findTarget(
  { client, permits }: PageCall,
  projectId: number,
): Promise<Project | undefined> {
  const [target, isOpen] = await loadAll([
    ifPermitted(client.projects.show({ projectId })),
    ifPermitted(permits.mergeRequests.list({ projectId }).then(() => true)),
  ])
  return isOpen === true && target?.archived !== true ? target : undefined
}

/** A fork that the viewer may open merge requests from without being a member, as administrators may. */
async function loadFork(
  { client, permits }: PageCall,
  project: Project,
  projectId: string,
): Promise<Project> {
  if (!/^\d{1,15}$/.test(projectId)) throw missing()
  await permits.mergeRequests.create({ projectId })
  const fork = await client.projects.show({ projectId })
  if (fork.forked_from_project?.id !== project.id) throw missing()
  return fork
}

/**
 * The branches that an address or a form names, as `merge_request[source_branch]` and the like; the
 * source is by default the project, or else the fork that changed last; the target what the project was
 * forked from, and its default branch.
 */
export function branchesIn(
  value: (name: string) => string,
  project: Project,
  { sources, targets }: RequestProjects,
): RequestBranches {
  const find = (projects: readonly Project[], name: string) =>
    projects.find(({ id }) => String(id) === value(name))
  const source = find(sources, 'source_project_id') ?? sources[0] ?? project
  const isFork = source.id !== project.id
  const target = find(targets, 'target_project_id') ?? (isFork ? project : (targets[0] ?? project))
  return {
    source,
    target,
    sourceBranch: value('source_branch'),
    targetBranch: value('target_branch') || (target.default_branch ?? ''),
  }
}
