import type { Page } from '@stithy/client'
import {
  AccessLevel,
  type AccessRequest,
  groupMemberLevels,
  type Member,
  projectMemberLevels,
} from '@stithy/core'
import type { Html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import { isAdministrator, type PageCall, parentOf } from '../../platform/pages/page-call.ts'
import type { Place } from '../../platform/pages/place.ts'
import { groupAddress, projectAddress } from '../../platform/text/addresses.ts'
import { groupPlace, loadGroup } from '../groups/group-place.ts'
import {
  accessLevel,
  archivedNotice,
  loadProject,
  projectPlace,
} from '../projects/project-place.ts'

/** What has members: a project or a group, with the calls that are made for it. */
export interface MemberSource {
  kind: 'project' | 'group'
  /** Its full path. */
  path: string
  /** The address of the page of its members. */
  address: string
  place: Place
  levels: readonly number[]
  /** Whether the viewer manages its members. */
  canManage: boolean
  /** Whose own the project is: a member for as long as it is. */
  ownerId?: number | undefined
  /** The viewer's level in it; 0 for none. */
  level: number
  /** The groups that have access to it; all that the viewer may see. */
  shares: readonly Share[]
  acceptsRequests: boolean
  /** Above a page on which access requests can't be decided on. */
  notice?: Html | undefined
  /** Whether it is in a group, whose members are its own as well. */
  inherits: boolean
}

export interface Share {
  group_id: number
  group_full_path: string
  group_access_level: number
  expires_at: string | null
}

type Call = Pick<PageCall, 'client' | 'params' | 'viewer'>

/** The project or group of a page. @throws StithyError 404 where the viewer may not see it */
export function loadSource(call: Call): Promise<MemberSource> {
  return call.params.project === undefined ? loadGroupSource(call) : loadProjectSource(call)
}

async function loadProjectSource(call: Call): Promise<MemberSource> {
  const [project, viewer] = await loadAll([loadProject(call), call.viewer()])
  const level = accessLevel(project.permissions)
  return {
    kind: 'project',
    path: project.path_with_namespace,
    address: projectAddress(project.path_with_namespace, 'project_members'),
    place: projectPlace(project, 'members'),
    levels: projectMemberLevels,
    level,
    canManage: level >= AccessLevel.maintainer || isAdministrator(viewer),
    ownerId: project.owner?.id,
    shares: project.shared_with_groups ?? [],
    acceptsRequests: project.request_access_enabled === true && project.archived !== true,
    notice: archivedNotice(project, 'access requests'),
    inherits: project.namespace?.kind === 'group',
  }
}

async function loadGroupSource(call: Call): Promise<MemberSource> {
  const groupId = call.params.group ?? ''
  const [group, details] = await loadAll([loadGroup(call), call.client.groups.show({ groupId })])
  return {
    kind: 'group',
    path: group.full_path,
    address: groupAddress(group.full_path, 'group_members'),
    place: groupPlace(group, 'members'),
    levels: groupMemberLevels,
    level: group.accessLevel,
    canManage: group.accessLevel >= AccessLevel.owner,
    shares: details.shared_with_groups ?? [],
    acceptsRequests: group.request_access_enabled,
    inherits: group.parent_id !== null,
  }
}

/** Members, direct ones or all with those of the groups above. */
export function listMembers(
  call: PageCall,
  filter: { query?: string; page?: number; isInherited: boolean },
): PromiseLike<Page<Member>> {
  const { client } = call
  const { isInherited, ...query } = filter
  const list = isInherited ? client.members.all.list : client.members.list
  return list({ ...parentOf(call), ...query })
}

/** Who asks to become a member; nobody if the viewer doesn't decide on it. */
export async function listRequests(
  call: PageCall,
  canManage: boolean,
): Promise<readonly AccessRequest[]> {
  if (!canManage) return []
  const requests = await call.client.accessRequests.list({ ...parentOf(call), per_page: 100 })
  return requests.items
}
