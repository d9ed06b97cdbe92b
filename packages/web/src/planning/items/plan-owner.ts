import type { Project } from '@stithy/core'
import {
  type GroupTab,
  groupLevel,
  groupPlace,
  loadGroup,
} from '../../directory/groups/group-place.ts'
import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall, Viewer } from '../../platform/pages/page-call.ts'
import type { Place } from '../../platform/pages/place.ts'
import { groupAddress, projectAddress } from '../../platform/text/addresses.ts'
import { type ProjectRights, projectRights, rightsAt } from './project-rights.ts'

/** What labels, milestones and boards belong to. */
export interface PlanOwner {
  kind: 'project' | 'group'
  /** Full path. */
  path: string
  rights: ProjectRights
  viewer: Viewer | null
  place: Place
  /** The viewer's level in the group of a project, to which things are promoted; 0 without one. */
  levelAbove: number
  /** Whether it is a group in another one. */
  isSubgroup: boolean
}

type Segment = string | number

/** The address of a page of the project or group of a call. */
export function ownAddress({ params }: Pick<PageCall, 'params'>, ...segments: Segment[]): string {
  return params.project === undefined
    ? groupAddress(params.group ?? '', ...segments)
    : projectAddress(params.project, ...segments)
}

/**
 * The project or group of a page.
 * @throws StithyError 404 where the viewer may not see it
 */
export async function loadOwner(
  call: Pick<PageCall, 'client' | 'params' | 'viewer'>,
  tabs: { project: Parameters<typeof projectPlace>[1]; group: GroupTab },
): Promise<PlanOwner> {
  if (call.params.project !== undefined) {
    const [project, viewer] = await loadAll([loadProject(call), call.viewer()])
    return {
      kind: 'project',
      path: project.path_with_namespace,
      rights: projectRights(project, viewer),
      viewer,
      place: projectPlace(project, tabs.project),
      levelAbove: await levelAbove(call, project),
      isSubgroup: false,
    }
  }
  const [group, viewer] = await loadAll([loadGroup(call), call.viewer()])
  return {
    kind: 'group',
    path: group.full_path,
    rights: rightsAt(group.accessLevel, viewer !== null),
    viewer,
    place: groupPlace(group, tabs.group),
    levelAbove: 0,
    isSubgroup: group.parent_id !== null,
  }
}

async function levelAbove(
  call: Pick<PageCall, 'client' | 'viewer'>,
  { namespace }: Project,
): Promise<number> {
  return namespace?.kind === 'group' ? groupLevel(call, String(namespace.id)) : 0
}
