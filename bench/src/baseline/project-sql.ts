/** A row of the queries below. */
export interface ProjectRow {
  id: number
  description: string | null
  defaultBranch: string | null
  fullPath: string
  readmePath: string | null
  tagList: string
  name: string
  path: string
  createdAt: number
  lastActivityAt: number
  forksCount: number
  starCount: number
  visibility: string
  archived: 0 | 1
  emptyRepo: 0 | 1
  namespaceId: number
  namespaceName: string
  namespacePath: string
  namespaceKind: string
  namespaceFullPath: string
  namespaceFullName: string
  namespaceParentId: number | null
  ownerId: number | null
  ownerName: string | null
  ownerCreatedAt: number | null
  creatorId: number | null
  forkedFromProjectId: number | null
  openIssuesCount: number
  issuesAccessLevel: string
  repositoryAccessLevel: string
  mergeRequestsAccessLevel: string
  buildsAccessLevel: string
  wikiAccessLevel: string
  snippetsAccessLevel: string
  ciConfigPath: string | null
  resolveOutdatedDiffDiscussions: 0 | 1
  containerRegistryEnabled: 0 | 1
  sharedRunnersEnabled: 0 | 1
  lfsEnabled: 0 | 1
  requestAccessEnabled: 0 | 1
  onlyAllowMergeIfPipelineSucceeds: 0 | 1
  onlyAllowMergeIfAllDiscussionsAreResolved: 0 | 1
  printingMergeRequestLinkEnabled: 0 | 1
  mergeMethod: string
  approvalsBeforeMerge: number
  packagesEnabled: 0 | 1
  externalAuthorizationClassificationLabel: string | null
  publicJobs: 0 | 1
  autoDevopsEnabled: 0 | 1
  autoDevopsDeployStrategy: string
  buildTimeout: number
  buildGitStrategy: string
  autoCancelPendingPipelines: string
  buildCoverageRegex: string | null
  ciDefaultGitDepth: number
  mirror: 0 | 1
  mirrorUserId: number | null
  mirrorTriggerBuilds: 0 | 1
  onlyMirrorProtectedBranches: 0 | 1
  mirrorOverwritesDivergedBranches: 0 | 1
  importStatus: string
  importError: string | null
  runnersToken: string
  repositoryPath: string
  projectLevel: number | null
  projectNotification: number | null
  /** Level times ten, plus the notification level. */
  groupMembership: number | null
  sharedLevel: number | null
}

const projectColumns = `id description defaultBranch fullPath readmePath tagList name path createdAt
  lastActivityAt forksCount starCount visibility archived emptyRepo namespaceId creatorId
  forkedFromProjectId openIssuesCount issuesAccessLevel repositoryAccessLevel
  mergeRequestsAccessLevel buildsAccessLevel wikiAccessLevel snippetsAccessLevel ciConfigPath
  resolveOutdatedDiffDiscussions containerRegistryEnabled sharedRunnersEnabled lfsEnabled
  requestAccessEnabled onlyAllowMergeIfPipelineSucceeds onlyAllowMergeIfAllDiscussionsAreResolved
  printingMergeRequestLinkEnabled mergeMethod approvalsBeforeMerge packagesEnabled
  externalAuthorizationClassificationLabel publicJobs autoDevopsEnabled autoDevopsDeployStrategy
  buildTimeout buildGitStrategy autoCancelPendingPipelines buildCoverageRegex ciDefaultGitDepth
  mirror mirrorUserId mirrorTriggerBuilds onlyMirrorProtectedBranches
  mirrorOverwritesDivergedBranches importStatus importError runnersToken repositoryPath`
  .split(/\s+/)
  .map((column) => `p."${column}"`)
  .join(', ')

export const counts = (alias: string) =>
  `(${alias}."expiresOn" is null or ${alias}."expiresOn" >= +:today)`

/** Groups that a namespace or an ancestor is shared with, and the user's level through them. */
export const levelThroughShares = (
  namespace: string,
) => `select min(m."accessLevel", l."groupAccess")
  from "namespaceAncestors" h
  cross join "groupGroupLinks" l on l."sharedGroupId" = h."ancestorId" and ${counts('l')}
  cross join "namespaceAncestors" a on a."descendantId" = l."sharedWithGroupId"
  cross join members m on m."sourceId" = a."ancestorId" and m."sourceKind" = 'group'
    and m."userId" = +:userId and ${counts('m')}
  where h."descendantId" = ${namespace}`

const groupMembers = `from "namespaceAncestors" a
  join members m on m."sourceId" = a."ancestorId" and m."sourceKind" = 'group'
    and m."userId" = +:userId and ${counts('m')}`

const directMembers = `from members m where m."userId" = +:userId and m."sourceKind" = 'project'
  and m."sourceId" = p.id and ${counts('m')}`

/** Projects with their namespace, its owner, and the levels of `+:userId` on `+:today`. */
export const selectProjects = `select ${projectColumns},
    n.name as "namespaceName", n.path as "namespacePath", n.kind as "namespaceKind",
    n."fullPath" as "namespaceFullPath", n."fullName" as "namespaceFullName",
    n."parentId" as "namespaceParentId", n."ownerId", o.name as "ownerName",
    o."createdAt" as "ownerCreatedAt",
    (select m."accessLevel" ${directMembers}) as "projectLevel",
    (select m."notificationLevel" ${directMembers}) as "projectNotification",
    (select max(m."accessLevel" * 10 + m."notificationLevel") ${groupMembers}
      where a."descendantId" = p."namespaceId") as "groupMembership",
    (select max(level) from (select min(m."accessLevel", l."groupAccess") as level ${groupMembers}
      join "projectGroupLinks" l on l."groupId" = a."descendantId" and ${counts('l')}
      where l."projectId" = p.id
      union all ${levelThroughShares('p."namespaceId"')})) as "sharedLevel"
  from projects p join namespaces n on n.id = p."namespaceId" left join users o on o.id = n."ownerId"`

const reached = `from members m
  join "namespaceAncestors" a on a."ancestorId" = m."sourceId"`

const ofUser = `m."userId" = +:userId and m."sourceKind" = 'group' and ${counts('m')}`

/** The groups that a user is a member of, directly, through an ancestor or through a share. */
export const accessible = `select a."descendantId" as id ${reached} where ${ofUser}
  union all
  select b."descendantId" ${reached}
  join "groupGroupLinks" s on s."sharedWithGroupId" = a."descendantId" and ${counts('s')}
  join "namespaceAncestors" b on b."ancestorId" = s."sharedGroupId" where ${ofUser}`

/** The groups whose shares of projects a user has. */
const sharedWith = `select a."descendantId" ${reached} where ${ofUser}`

/** What an ordinary member may see: open projects, and those with a membership. */
export const visibleProjects = `p."deletedAt" is null and (p.visibility in ('public', 'internal')
  or p.id in (select m."sourceId" from members m
    where m."userId" = +:userId and m."sourceKind" = 'project' and ${counts('m')})
  or p."namespaceId" in (${accessible} union all select id from namespaces where "ownerId" = +:userId)
  or p.id in (select l."projectId" from "projectGroupLinks" l
    where l."groupId" in (${sharedWith}) and ${counts('l')}))`

/** Groups around a project that the user is a member of. */
export const holdingGroups = `select around."ancestorId" as id from "namespaceAncestors" around
    where around."descendantId" in (
      select h."namespaceId" from members m join projects h on h.id = m."sourceId"
      where m."userId" = +:userId and m."sourceKind" = 'project' and ${counts('m')}
        and h."deletedAt" is null
      union all
      select h."namespaceId" from "projectGroupLinks" k join projects h on h.id = k."projectId"
      where k."groupId" in (${sharedWith}) and ${counts('k')} and h."deletedAt" is null
      union all
      select r.id from (${accessible}) r where exists (select 1 from projects h
        where h."namespaceId" = r.id and h."deletedAt" is null))`

/**
 * Groups that an ordinary member may see: open ones, and those with a membership in them, an
 * ancestor or a descendant.
 */
export const visibleGroup = `(g.visibility in ('public', 'internal') or g.id in (${accessible})
  or g.id in (${holdingGroups}))`

/** Active shares of the projects in the JSON array `+:ids`. */
export const selectShares = `select l."projectId", l."groupId", g.name as "groupName",
    g."fullPath" as "groupFullPath", l."groupAccess", l."expiresOn"
  from "projectGroupLinks" l join namespaces g on g.id = l."groupId"
  where l."projectId" in (select value from json_each(+:ids)) and g."deletedAt" is null
    and ${counts('l')} and ${visibleGroup} order by l.id`

export interface ShareRow {
  projectId: number
  groupId: number
  groupName: string
  groupFullPath: string
  groupAccess: number
  expiresOn: string | null
}
