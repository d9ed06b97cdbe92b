import { z } from 'zod'
import { visibilities } from '../../platform/access/level.ts'
import { day, timestamp } from '../../platform/contract/fields.ts'
import { CustomAttribute } from '../custom-attributes/custom-attribute.schema.ts'
import { NamespaceRef } from '../namespaces/namespace.schema.ts'
import { featureLevels } from './project-policy.ts'

export const mergeMethods = ['merge', 'rebase_merge', 'ff'] as const
export const gitStrategies = ['fetch', 'clone'] as const
export const deployStrategies = ['continuous', 'manual', 'timed_incremental'] as const
export const toggleStates = ['enabled', 'disabled'] as const

/** The simple shape of a project, for everyone who may read it. */
export const SimpleProject = z.object({
  id: z.int(),
  description: z.string().nullable(),
  /** Omitted when the caller may not read the code; null when the repository is empty. */
  default_branch: z.string().nullable().optional(),
  ssh_url_to_repo: z.string(),
  http_url_to_repo: z.string(),
  web_url: z.string(),
  /** Null without a README or when the caller may not read the code. */
  readme_url: z.string().nullable(),
  tag_list: z.array(z.string()),
  name: z.string(),
  name_with_namespace: z.string(),
  path: z.string(),
  path_with_namespace: z.string(),
  created_at: timestamp,
  last_activity_at: timestamp,
  forks_count: z.int(),
  avatar_url: z.string().nullable(),
  star_count: z.int(),
})
export type SimpleProject = z.output<typeof SimpleProject>

/** A group that a project is shared with. */
export const SharedGroup = z.object({
  group_id: z.int(),
  group_name: z.string(),
  group_full_path: z.string(),
  group_access_level: z.int(),
  expires_at: day.nullable(),
})
export type SharedGroup = z.output<typeof SharedGroup>

/** Sizes in bytes. */
export const StorageSizes = z.object({
  storage_size: z.int(),
  repository_size: z.int(),
  wiki_size: z.int(),
  lfs_objects_size: z.int(),
  job_artifacts_size: z.int(),
  packages_size: z.int(),
})
export type StorageSizes = z.output<typeof StorageSizes>

/** Statistics of a project. */
export const ProjectStatistics = z.object({ commit_count: z.int(), ...StorageSizes.shape })
export type ProjectStatistics = z.output<typeof ProjectStatistics>

const Membership = z.object({ access_level: z.int(), notification_level: z.int() }).nullable()

const ProjectLinks = z.object({
  self: z.string(),
  issues: z.string().optional(),
  merge_requests: z.string().optional(),
  repo_branches: z.string(),
  labels: z.string(),
  events: z.string(),
  members: z.string(),
})

/**
 * A project. The fields beyond the simple shape are omitted for anonymous callers and with
 * `simple`; some also depend on the caller's access level.
 */
export const Project = SimpleProject.extend(
  z
    .object({
      visibility: z.enum(visibilities),
      owner: z.object({ id: z.int(), name: z.string(), created_at: timestamp }),
      archived: z.boolean(),
      empty_repo: z.boolean(),
      namespace: NamespaceRef,
      creator_id: z.int().nullable(),
      forked_from_project: SimpleProject,
      open_issues_count: z.int(),
      issues_enabled: z.boolean(),
      merge_requests_enabled: z.boolean(),
      jobs_enabled: z.boolean(),
      wiki_enabled: z.boolean(),
      snippets_enabled: z.boolean(),
      issues_access_level: z.enum(featureLevels),
      repository_access_level: z.enum(featureLevels),
      merge_requests_access_level: z.enum(featureLevels),
      builds_access_level: z.enum(featureLevels),
      wiki_access_level: z.enum(featureLevels),
      snippets_access_level: z.enum(featureLevels),
      resolve_outdated_diff_discussions: z.boolean(),
      container_registry_enabled: z.boolean(),
      shared_runners_enabled: z.boolean(),
      lfs_enabled: z.boolean(),
      request_access_enabled: z.boolean(),
      public_jobs: z.boolean(),
      only_allow_merge_if_pipeline_succeeds: z.boolean(),
      only_allow_merge_if_all_discussions_are_resolved: z.boolean(),
      printing_merge_request_link_enabled: z.boolean(),
      merge_method: z.enum(mergeMethods),
      auto_devops_enabled: z.boolean(),
      auto_devops_deploy_strategy: z.enum(deployStrategies),
      build_git_strategy: z.enum(gitStrategies),
      /** Seconds. */
      build_timeout: z.int(),
      auto_cancel_pending_pipelines: z.enum(toggleStates),
      build_coverage_regex: z.string().nullable(),
      ci_config_path: z.string().nullable(),
      ci_default_git_depth: z.int(),
      shared_with_groups: z.array(SharedGroup),
      import_status: z.string(),
      import_error: z.string().nullable(),
      runners_token: z.string(),
      repository_storage: z.string(),
      approvals_before_merge: z.int(),
      mirror: z.boolean(),
      mirror_user_id: z.int().nullable(),
      mirror_trigger_builds: z.boolean(),
      only_mirror_protected_branches: z.boolean(),
      mirror_overwrites_diverged_branches: z.boolean(),
      external_authorization_classification_label: z.string().nullable(),
      packages_enabled: z.boolean(),
      permissions: z.object({ project_access: Membership, group_access: Membership }),
      statistics: ProjectStatistics,
      custom_attributes: z.array(CustomAttribute),
      _links: ProjectLinks,
    })
    .partial().shape,
)
export type Project = z.output<typeof Project>

/** The response to sharing a project with a group. */
export const ProjectShare = z.object({
  id: z.int(),
  project_id: z.int(),
  group_id: z.int(),
  group_access: z.int(),
  expires_at: day.nullable(),
})
export type ProjectShare = z.output<typeof ProjectShare>
