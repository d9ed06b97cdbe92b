import type { ProjectRow, ShareRow } from './project-sql.ts'

/** The highest level of the caller, who is not an administrator. */
export function levelOf(row: ProjectRow, userId: number): number {
  if (row.ownerId === userId) return 50
  const group = Math.floor((row.groupMembership ?? 0) / 10)
  return Math.max(row.projectLevel ?? 0, group, row.sharedLevel ?? 0)
}

/** Whether the caller may see the project. */
export function isVisible(row: ProjectRow, level: number): boolean {
  return level >= 10 || row.visibility !== 'private'
}

function canAccess(setting: string, row: ProjectRow, level: number, from: number): boolean {
  if (setting === 'disabled') return false
  return setting === 'enabled' ? isVisible(row, level) : level >= from
}

/** Whether the caller may read the code. */
export function canReadCode(row: ProjectRow, level: number): boolean {
  if (!canAccess(row.repositoryAccessLevel, row, level, 20)) return false
  return level >= 20 || row.visibility !== 'private'
}

/** The JSON of a project; undefined fields are left out. */
type Shape = Record<string, unknown>

/** The simple shape of a project. */
export function simpleShape(row: ProjectRow, level: number, base: string, host: string): Shape {
  const code = canReadCode(row, level)
  const web = `${base}/${row.fullPath}`
  const readme = code && row.readmePath !== null && row.defaultBranch !== null
  return {
    id: row.id,
    description: row.description,
    default_branch: code ? row.defaultBranch : undefined,
    ssh_url_to_repo: `git@${host}:${row.fullPath}.git`,
    http_url_to_repo: `${web}.git`,
    web_url: web,
    readme_url: readme ? `${web}/blob/${row.defaultBranch}/${row.readmePath}` : null,
    tag_list: row.tagList === '[]' ? [] : JSON.parse(row.tagList),
    name: row.name,
    name_with_namespace: `${row.namespaceFullName} / ${row.name}`,
    path: row.path,
    path_with_namespace: row.fullPath,
    created_at: new Date(row.createdAt).toISOString(),
    last_activity_at: new Date(row.lastActivityAt).toISOString(),
    forks_count: row.forksCount,
    avatar_url: null,
    star_count: row.starCount,
  }
}

interface ShapeInput {
  row: ProjectRow
  level: number
  shares: readonly ShareRow[]
  /** The simple shape of the fork's source, if the caller can see it. */
  source: Shape | undefined
  base: string
  host: string
}

/** The full shape of a project. */
export function fullShape({ row, level, shares, source, base, host }: ShapeInput): Shape {
  const shape = simpleShape(row, level, base, host)
  shape.visibility = row.visibility
  addNamespace(shape, row, base)
  shape.archived = row.archived === 1
  shape.empty_repo = row.emptyRepo === 1
  shape.creator_id = row.creatorId
  shape.forked_from_project = source
  addFeatures(shape, row, level, base)
  addSettings(shape, row)
  addBuildSettings(shape, row)
  shape.shared_with_groups = shares.map(shareShape)
  shape.import_status = row.importStatus
  if (level >= 40) {
    shape.runners_token = row.runnersToken
    shape.import_error = row.importError
    shape.build_git_strategy = row.buildGitStrategy
  }
  if (shape.default_branch !== undefined) shape.ci_config_path = row.ciConfigPath
  const group = row.groupMembership
  shape.permissions = {
    project_access: row.projectLevel && access(row.projectLevel, row.projectNotification),
    group_access: group && access(Math.floor(group / 10), group % 10),
  }
  return shape
}

function shareShape(share: ShareRow) {
  return {
    group_id: share.groupId,
    group_name: share.groupName,
    group_full_path: share.groupFullPath,
    group_access_level: share.groupAccess,
    expires_at: share.expiresOn,
  }
}

function access(level: number, notification: number | null) {
  return { access_level: level, notification_level: notification ?? 3 }
}

function addNamespace(shape: Shape, row: ProjectRow, base: string): void {
  const { ownerId, ownerName, ownerCreatedAt } = row
  if (ownerId !== null && ownerCreatedAt !== null) {
    const createdAt = new Date(ownerCreatedAt).toISOString()
    shape.owner = { id: ownerId, name: ownerName, created_at: createdAt }
  }
  const path = row.namespaceFullPath
  shape.namespace = {
    id: row.namespaceId,
    name: row.namespaceName,
    path: row.namespacePath,
    kind: row.namespaceKind,
    full_path: path,
    parent_id: row.namespaceParentId,
    avatar_url: null,
    web_url: ownerId === null ? `${base}/groups/${path}` : `${base}/${path}`,
  }
}

function addFeatures(shape: Shape, row: ProjectRow, level: number, base: string): void {
  const issues = canAccess(row.issuesAccessLevel, row, level, 10)
  const code = canAccess(row.repositoryAccessLevel, row, level, 20)
  const requests = code && canAccess(row.mergeRequestsAccessLevel, row, level, 20)
  if (issues) shape.open_issues_count = row.openIssuesCount
  shape.issues_enabled = issues
  shape.merge_requests_enabled = requests
  shape.jobs_enabled = code && canAccess(row.buildsAccessLevel, row, level, 10)
  shape.wiki_enabled = canAccess(row.wikiAccessLevel, row, level, 10)
  shape.snippets_enabled = canAccess(row.snippetsAccessLevel, row, level, 10)
  const self = `${base}/api/v4/projects/${row.id}`
  shape._links = {
    self,
    repo_branches: `${self}/repository/branches`,
    labels: `${self}/labels`,
    events: `${self}/events`,
    members: `${self}/members`,
    issues: issues ? `${self}/issues` : undefined,
    merge_requests: requests ? `${self}/merge_requests` : undefined,
  }
}

function addSettings(shape: Shape, row: ProjectRow): void {
  shape.issues_access_level = row.issuesAccessLevel
  shape.repository_access_level = row.repositoryAccessLevel
  shape.merge_requests_access_level = row.mergeRequestsAccessLevel
  shape.builds_access_level = row.buildsAccessLevel
  shape.wiki_access_level = row.wikiAccessLevel
  shape.snippets_access_level = row.snippetsAccessLevel
  shape.resolve_outdated_diff_discussions = row.resolveOutdatedDiffDiscussions === 1
  shape.only_allow_merge_if_pipeline_succeeds = row.onlyAllowMergeIfPipelineSucceeds === 1
  shape.only_allow_merge_if_all_discussions_are_resolved =
    row.onlyAllowMergeIfAllDiscussionsAreResolved === 1
  shape.printing_merge_request_link_enabled = row.printingMergeRequestLinkEnabled === 1
  shape.merge_method = row.mergeMethod
}

function addBuildSettings(shape: Shape, row: ProjectRow): void {
  shape.public_jobs = row.publicJobs === 1
  shape.shared_runners_enabled = row.sharedRunnersEnabled === 1
  shape.auto_devops_enabled = row.autoDevopsEnabled === 1
  shape.auto_devops_deploy_strategy = row.autoDevopsDeployStrategy
  shape.build_timeout = row.buildTimeout
  shape.auto_cancel_pending_pipelines = row.autoCancelPendingPipelines
  shape.build_coverage_regex = row.buildCoverageRegex
  shape.ci_default_git_depth = row.ciDefaultGitDepth
  shape.approvals_before_merge = row.approvalsBeforeMerge
  shape.mirror = row.mirror === 1
  shape.mirror_user_id = row.mirrorUserId
  shape.mirror_trigger_builds = row.mirrorTriggerBuilds === 1
  shape.only_mirror_protected_branches = row.onlyMirrorProtectedBranches === 1
  shape.mirror_overwrites_diverged_branches = row.mirrorOverwritesDivergedBranches === 1
  shape.packages_enabled = row.packagesEnabled === 1
  shape.external_authorization_classification_label = row.externalAuthorizationClassificationLabel
  shape.container_registry_enabled = row.containerRegistryEnabled === 1
  shape.lfs_enabled = row.lfsEnabled === 1
  shape.request_access_enabled = row.requestAccessEnabled === 1
}
