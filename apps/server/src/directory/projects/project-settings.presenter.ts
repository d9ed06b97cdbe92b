import type { Project } from '@stithy/core'
import type { ProjectRow } from '@stithy/store'

/**
 * Adds the settings that are part of the full shape for everyone; `paid` adds those of paid tiers.
 */
export function addProjectSettings(project: Project, row: ProjectRow, paid: boolean): void {
  addLevels(project, row)
  addMergeSettings(project, row)
  addBuildSettings(project, row)
  if (paid) addPaidSettings(project, row)
  project.container_registry_enabled = row.containerRegistryEnabled === 1
  project.lfs_enabled = row.lfsEnabled === 1
  project.request_access_enabled = row.requestAccessEnabled === 1
}

function addLevels(project: Project, row: ProjectRow): void {
  project.issues_access_level = row.issuesAccessLevel
  project.repository_access_level = row.repositoryAccessLevel
  project.merge_requests_access_level = row.mergeRequestsAccessLevel
  project.builds_access_level = row.buildsAccessLevel
  project.wiki_access_level = row.wikiAccessLevel
  project.snippets_access_level = row.snippetsAccessLevel
}

function addMergeSettings(project: Project, row: ProjectRow): void {
  project.resolve_outdated_diff_discussions = row.resolveOutdatedDiffDiscussions === 1
  project.only_allow_merge_if_pipeline_succeeds = row.onlyAllowMergeIfPipelineSucceeds === 1
  project.only_allow_merge_if_all_discussions_are_resolved =
    row.onlyAllowMergeIfAllDiscussionsAreResolved === 1
  project.printing_merge_request_link_enabled = row.printingMergeRequestLinkEnabled === 1
  project.merge_method = row.mergeMethod
}

function addBuildSettings(project: Project, row: ProjectRow): void {
  project.public_jobs = row.publicJobs === 1
  project.shared_runners_enabled = row.sharedRunnersEnabled === 1
  project.auto_devops_enabled = row.autoDevopsEnabled === 1
  project.auto_devops_deploy_strategy = row.autoDevopsDeployStrategy
  project.build_timeout = row.buildTimeout
  project.auto_cancel_pending_pipelines = row.autoCancelPendingPipelines
  project.build_coverage_regex = row.buildCoverageRegex
  project.ci_default_git_depth = row.ciDefaultGitDepth
}

function addPaidSettings(project: Project, row: ProjectRow): void {
  project.approvals_before_merge = row.approvalsBeforeMerge
  project.mirror = row.mirror === 1
  project.mirror_user_id = row.mirrorUserId
  project.mirror_trigger_builds = row.mirrorTriggerBuilds === 1
  project.only_mirror_protected_branches = row.onlyMirrorProtectedBranches === 1
  project.mirror_overwrites_diverged_branches = row.mirrorOverwritesDivergedBranches === 1
  project.packages_enabled = row.packagesEnabled === 1
  project.external_authorization_classification_label = row.externalAuthorizationClassificationLabel
}
