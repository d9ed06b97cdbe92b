import {
  type BodyOf,
  cleanTags,
  type FeatureLevel,
  featureLevel,
  type projectsContract,
} from '@stithy/core'
import { type Flag, jsonText, type ProjectChanges, toFlag } from '@stithy/store'

type Settings = Partial<
  BodyOf<typeof projectsContract.create> & BodyOf<typeof projectsContract.update>
>

/** Maps the settings of create and edit to columns, except names, paths and files. */
export function settingColumns(settings: Settings): ProjectChanges {
  return withoutUndefined({
    ...featureColumns(settings),
    ...codeColumns(settings),
    ...buildColumns(settings),
    ...mirrorColumns(settings),
    description: settings.description,
    visibility: settings.visibility,
    tagList: settings.tag_list && jsonText(cleanTags(settings.tag_list)),
    lfsEnabled: flag(settings.lfs_enabled),
    requestAccessEnabled: flag(settings.request_access_enabled),
    containerRegistryEnabled: flag(settings.container_registry_enabled),
    packagesEnabled: flag(settings.packages_enabled),
    externalAuthorizationClassificationLabel: settings.external_authorization_classification_label,
  })
}

function featureColumns(settings: Settings) {
  const feature = (
    level: FeatureLevel | undefined,
    enabled: boolean | undefined,
  ): FeatureLevel | undefined => featureLevel(level, enabled)
  return {
    issuesAccessLevel: feature(settings.issues_access_level, settings.issues_enabled),
    repositoryAccessLevel: settings.repository_access_level,
    mergeRequestsAccessLevel: feature(
      settings.merge_requests_access_level,
      settings.merge_requests_enabled,
    ),
    buildsAccessLevel: feature(settings.builds_access_level, settings.jobs_enabled),
    wikiAccessLevel: feature(settings.wiki_access_level, settings.wiki_enabled),
    snippetsAccessLevel: feature(settings.snippets_access_level, settings.snippets_enabled),
  }
}

function codeColumns(settings: Settings) {
  return {
    mergeMethod: settings.merge_method,
    approvalsBeforeMerge: settings.approvals_before_merge,
    resolveOutdatedDiffDiscussions: flag(settings.resolve_outdated_diff_discussions),
    onlyAllowMergeIfPipelineSucceeds: flag(settings.only_allow_merge_if_pipeline_succeeds),
    onlyAllowMergeIfAllDiscussionsAreResolved: flag(
      settings.only_allow_merge_if_all_discussions_are_resolved,
    ),
    printingMergeRequestLinkEnabled: flag(settings.printing_merge_request_link_enabled),
  }
}

function buildColumns(settings: Settings) {
  return {
    publicJobs: flag(settings.public_builds),
    sharedRunnersEnabled: flag(settings.shared_runners_enabled),
    autoDevopsEnabled: flag(settings.auto_devops_enabled),
    autoDevopsDeployStrategy: settings.auto_devops_deploy_strategy,
    buildGitStrategy: settings.build_git_strategy,
    buildTimeout: settings.build_timeout,
    autoCancelPendingPipelines: settings.auto_cancel_pending_pipelines,
    buildCoverageRegex: blankIsNull(settings.build_coverage_regex),
    ciConfigPath: blankIsNull(settings.ci_config_path),
    ciDefaultGitDepth: settings.ci_default_git_depth,
  }
}

function mirrorColumns(settings: Settings) {
  return {
    mirror: flag(settings.mirror),
    mirrorUserId: settings.mirror_user_id,
    mirrorTriggerBuilds: flag(settings.mirror_trigger_builds),
    onlyMirrorProtectedBranches: flag(settings.only_mirror_protected_branches),
    mirrorOverwritesDivergedBranches: flag(settings.mirror_overwrites_diverged_branches),
  }
}

function flag(value: boolean | undefined): Flag | undefined {
  return value === undefined ? undefined : toFlag(value)
}

function blankIsNull(value: string | undefined): string | null | undefined {
  return value === '' ? null : value
}

function withoutUndefined<T extends object>(
  values: T,
): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}
