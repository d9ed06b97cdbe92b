import { counts, levelThroughShares, visibleGroup } from '../project-sql.ts'

/** A row of the queries below. */
export interface GroupRow {
  id: number
  name: string
  path: string
  description: string
  visibility: string
  lfsEnabled: 0 | 1
  requestAccessEnabled: 0 | 1
  fullPath: string
  fullName: string
  parentId: number | null
  fileTemplateProjectId: number | null
  requireTwoFactorAuthentication: 0 | 1
  twoFactorGracePeriod: number
  sharedRunnersMinutesLimit: number | null
  extraSharedRunnersMinutesLimit: number | null
}

export const groupColumns = `g.id, g.name, g.path, g.description, g.visibility, g."lfsEnabled",
  g."requestAccessEnabled", g."fullPath", g."fullName", g."parentId", g."fileTemplateProjectId",
  g."requireTwoFactorAuthentication", g."twoFactorGracePeriod", g."sharedRunnersMinutesLimit",
  g."extraSharedRunnersMinutesLimit"`

const present = `g.kind = 'group' and g."deletedAt" is null`

/** The group `+:path` with the level of `+:userId` on `+:today`. */
export const selectGroup = `select ${groupColumns},
    (select max(level) from (
      select m."accessLevel" as level from "namespaceAncestors" a
      cross join members m on m."sourceId" = a."ancestorId" and m."sourceKind" = 'group'
        and m."userId" = +:userId and ${counts('m')}
      where a."descendantId" = g.id
      union all ${levelThroughShares('g.id')})) as level
  from namespaces g where g."fullPathLower" = +:path and ${present}`

/** Groups that the viewer may see. */
export const visibleGroups = `from namespaces g where ${present} and ${visibleGroup}`

export interface GroupShareRow {
  groupId: number
  name: string
  fullPath: string
  groupAccess: number
  expiresOn: string | null
}

/** The groups that `+:id` is shared with, all of them for an owner (`+:owner`). */
export const selectGroupShares = `select l."sharedWithGroupId" as "groupId", g.name, g."fullPath",
    l."groupAccess", l."expiresOn"
  from "groupGroupLinks" l join namespaces g on g.id = l."sharedWithGroupId"
  where l."sharedGroupId" = +:id and g."deletedAt" is null and ${counts('l')}
    and (+:owner or ${visibleGroup}) order by l.id`

/** The JSON of a group in lists. */
export function groupShape(row: GroupRow, base: string): Record<string, unknown> {
  return {
    id: row.id,
    name: row.name,
    path: row.path,
    description: row.description,
    visibility: row.visibility,
    lfs_enabled: row.lfsEnabled === 1,
    avatar_url: null,
    web_url: `${base}/groups/${row.fullPath}`,
    request_access_enabled: row.requestAccessEnabled === 1,
    full_name: row.fullName,
    full_path: row.fullPath,
    file_template_project_id: row.fileTemplateProjectId,
    parent_id: row.parentId,
  }
}
