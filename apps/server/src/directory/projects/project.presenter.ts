import {
  type CallerFacts,
  decideOnProject,
  isFeatureAvailable,
  notificationLevels,
  type Project,
  type ProjectFacts,
  type SimpleProject,
} from '@stithy/core'
import {
  fromJsonText,
  groupMembership,
  type ProjectLevels,
  type ProjectRow,
  type ProjectShareRow,
  type ProjectStatisticsRow,
  type SimpleProjectRow,
} from '@stithy/store'
import { type Config, tierAllows } from '../../platform/config/config.ts'
import { timestampText } from '../../platform/http/timestamp.ts'
import { apiUrl, webUrl } from '../../platform/http/urls.ts'
import { avatarUrl } from '../../platform/uploads/avatar-url.ts'
import { presentSharedGroup } from '../namespaces/shared-group.presenter.ts'
import { addProjectSettings } from './project-settings.presenter.ts'
import { presentSizes } from './storage-sizes.presenter.ts'

/** A simple project, with the flags that decide which fields it has. */
export interface SimpleView {
  row: SimpleProjectRow
  facts: ProjectFacts
}

/** A project with everything that its full shape contains. */
export interface ProjectView {
  row: ProjectRow
  facts: ProjectFacts
  levels: ProjectLevels
  /** Those visible to the caller. */
  shares: readonly ProjectShareRow[]
  /** The source of a fork, if visible to the caller. */
  forkedFrom?: SimpleView | undefined
  /** Set when requested. */
  statistics?: ProjectStatisticsRow | undefined
  customAttributes?: readonly { key: string; value: string }[] | undefined
}

/** Builds the simple shape, the only one that anonymous callers get. */
export function presentSimpleProject(
  config: Config,
  caller: CallerFacts,
  { row, facts }: SimpleView,
): SimpleProject {
  const seesCode = decideOnProject('read_code', caller, facts).allowed
  const web = webUrl(config, row.fullPath)
  const project: SimpleProject = {
    id: row.id,
    description: row.description,
    default_branch: row.defaultBranch,
    ssh_url_to_repo: sshUrlOf(config, row.fullPath),
    http_url_to_repo: `${web}.git`,
    web_url: web,
    readme_url: seesCode ? readmeUrl(web, row) : null,
    tag_list: row.tagList === '[]' ? [] : fromJsonText<string[]>(row.tagList),
    name: row.name,
    name_with_namespace: `${row.namespaceFullName} / ${row.name}`,
    path: row.path,
    path_with_namespace: row.fullPath,
    created_at: timestampText(row.createdAt),
    last_activity_at: timestampText(row.lastActivityAt),
    forks_count: row.forksCount,
    avatar_url: avatarUrl(config, 'project', row.id, row.avatar),
    star_count: row.starCount,
  }
  if (!seesCode) delete project.default_branch
  return project
}

/** SSH URL to clone a project from. */
export function sshUrlOf(config: Config, fullPath: string): string {
  return `${sshPrefix(config)}${fullPath}.git`
}

const sshPrefixes = new WeakMap<Config, string>()

function sshPrefix(config: Config): string {
  const known = sshPrefixes.get(config)
  if (known !== undefined) return known
  const { hostname } = new URL(config.externalUrl)
  const isDefault = config.sshPort === 0 || config.sshPort === 22
  const prefix = isDefault ? `git@${hostname}:` : `ssh://git@${hostname}:${config.sshPort}/`
  sshPrefixes.set(config, prefix)
  return prefix
}

function readmeUrl(web: string, { readmePath, defaultBranch }: SimpleProjectRow): string | null {
  if (readmePath === null || defaultBranch === null) return null
  return blobUrl(web, defaultBranch, readmePath)
}

/** The page of a file, below that of its project. */
export function blobUrl(web: string, ref: string, path: string): string {
  return `${web}/blob/${encodePath(ref)}/${encodePath(path)}`
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/**
 * Builds the full shape. Fields are assigned to one object: with spreads, a page of projects took
 * twice as long.
 */
export function presentProject(config: Config, caller: CallerFacts, view: ProjectView): Project {
  const { row, facts, forkedFrom, customAttributes } = view
  const project: Project = presentSimpleProject(config, caller, view)
  project.visibility = row.visibility
  addNamespace(config, project, row)
  project.archived = row.archived === 1
  project.empty_repo = row.emptyRepo === 1
  project.creator_id = row.creatorId
  if (forkedFrom !== undefined) {
    project.forked_from_project = presentSimpleProject(config, caller, forkedFrom)
  }
  addFeatures(config, caller, project, view)
  addProjectSettings(project, row, tierAllows(config.tier, 'premium'))
  project.shared_with_groups = view.shares.map(presentSharedGroup)
  project.import_status = row.importStatus
  if (decideOnProject('update_project', caller, facts).allowed) {
    project.runners_token = row.runnersToken
    project.import_error = row.importError
    project.build_git_strategy = row.buildGitStrategy
  }
  if ('default_branch' in project) project.ci_config_path = row.ciConfigPath
  if (caller.admin) project.repository_storage = row.repositoryStorage
  project.permissions = presentPermissions(view.levels)
  addStatistics(caller, project, view)
  if (customAttributes !== undefined) {
    project.custom_attributes = customAttributes.map(({ key, value }) => ({ key, value }))
  }
  return project
}

function addNamespace(config: Config, project: Project, row: ProjectRow): void {
  const { namespaceOwnerId, ownerName, ownerCreatedAt } = row
  const personal = namespaceOwnerId !== null
  if (personal && ownerName !== null && ownerCreatedAt !== null) {
    const createdAt = timestampText(ownerCreatedAt)
    project.owner = { id: namespaceOwnerId, name: ownerName, created_at: createdAt }
  }
  project.namespace = {
    id: row.namespaceId,
    name: row.namespaceName,
    path: row.namespacePath,
    kind: row.namespaceKind,
    full_path: row.namespaceFullPath,
    parent_id: row.namespaceParentId,
    avatar_url: personal
      ? avatarUrl(config, 'user', namespaceOwnerId, row.ownerAvatar)
      : avatarUrl(config, 'group', row.namespaceId, row.namespaceAvatar),
    web_url: webUrl(config, personal ? row.namespaceFullPath : `groups/${row.namespaceFullPath}`),
  }
}

/**
 * Adds feature settings: the boolean `*_enabled` fields say what the caller can use, the access
 * levels what is configured.
 */
function addFeatures(
  config: Config,
  caller: CallerFacts,
  project: Project,
  { row, facts }: ProjectView,
): void {
  const issues = isFeatureAvailable('issues', caller, facts)
  const mergeRequests = isFeatureAvailable('merge_requests', caller, facts)
  if (issues) project.open_issues_count = row.openIssuesCount
  project.issues_enabled = issues
  project.merge_requests_enabled = mergeRequests
  project.jobs_enabled = isFeatureAvailable('builds', caller, facts)
  project.wiki_enabled = isFeatureAvailable('wiki', caller, facts)
  project.snippets_enabled = isFeatureAvailable('snippets', caller, facts)
  const self = apiUrl(config, `projects/${row.id}`)
  const links: NonNullable<Project['_links']> = {
    self,
    repo_branches: `${self}/repository/branches`,
    labels: `${self}/labels`,
    events: `${self}/events`,
    members: `${self}/members`,
  }
  if (issues) links.issues = `${self}/issues`
  if (mergeRequests) links.merge_requests = `${self}/merge_requests`
  project._links = links
}

function presentPermissions(levels: ProjectLevels): NonNullable<Project['permissions']> {
  const { projectLevel, projectNotification } = levels
  const group = groupMembership(levels)
  return {
    project_access:
      projectLevel === null
        ? null
        : {
            access_level: projectLevel,
            notification_level: projectNotification ?? notificationLevels.global,
          },
    group_access: group && {
      access_level: group.accessLevel,
      notification_level: group.notificationLevel,
    },
  }
}

function addStatistics(
  caller: CallerFacts,
  project: Project,
  { facts, statistics }: ProjectView,
): void {
  if (statistics === undefined) return
  if (!decideOnProject('read_statistics', caller, facts).allowed) return
  project.statistics = {
    commit_count: statistics.commitCount,
    ...presentSizes(statistics),
  }
}
