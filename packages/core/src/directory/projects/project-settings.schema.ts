import { visibilities } from '../../platform/access/level.ts'
import {
  boolean,
  file,
  integer,
  oneOf,
  optional,
  paid,
  type TextOptions,
  text,
} from '../../platform/contract/fields.ts'
import { textList } from '../../platform/contract/list-fields.ts'
import { refNameText } from '../../platform/contract/ref-names.ts'
import {
  filePathText,
  maxNameLength,
  maxUrlLength,
  pathText,
  shortText,
} from '../../platform/contract/text-options.ts'
import { webAuthority } from '../../platform/contract/web-urls.ts'
import { namespaceNameText } from '../namespaces/path.rules.ts'
import { maxDescriptionLength } from './project.rules.ts'
import { deployStrategies, gitStrategies, mergeMethods, toggleStates } from './project.schema.ts'
import { featureLevels } from './project-policy.ts'

/** The URL of a repository to import; blank for none. */
const importUrl: TextOptions = {
  rules: {
    maxLength: maxUrlLength,
    pattern: String.raw`^\s*$|^\s*https?://${webAuthority}(?:/[!-"$->@-~]*)?\s*$`,
  },
}

/** Maximum timeout of a job: a month. */
const maxBuildTimeout = 2_678_400

/** Parameters common to creating a project, creating one for a user, and editing. */
export const projectSettings = optional({
  name: text(namespaceNameText),
  path: text(pathText),
  default_branch: text(refNameText),
  description: text({ rules: { maxLength: maxDescriptionLength } }),
  issues_enabled: boolean(),
  merge_requests_enabled: boolean(),
  jobs_enabled: boolean(),
  wiki_enabled: boolean(),
  snippets_enabled: boolean(),
  issues_access_level: oneOf(featureLevels),
  repository_access_level: oneOf(featureLevels),
  merge_requests_access_level: oneOf(featureLevels),
  builds_access_level: oneOf(featureLevels),
  wiki_access_level: oneOf(featureLevels),
  snippets_access_level: oneOf(featureLevels),
  resolve_outdated_diff_discussions: boolean(),
  container_registry_enabled: boolean(),
  shared_runners_enabled: boolean(),
  public_builds: boolean(),
  only_allow_merge_if_pipeline_succeeds: boolean(),
  only_allow_merge_if_all_discussions_are_resolved: boolean(),
  lfs_enabled: boolean(),
  request_access_enabled: boolean(),
  auto_devops_enabled: boolean(),
  auto_devops_deploy_strategy: oneOf(deployStrategies),
  printing_merge_request_link_enabled: boolean(),
  visibility: oneOf(visibilities),
  import_url: text(importUrl),
  merge_method: oneOf(mergeMethods),
  tag_list: textList({ rules: { maxLength: maxNameLength } }),
  avatar: file(),
  build_git_strategy: oneOf(gitStrategies),
  build_timeout: integer({ min: 600, max: maxBuildTimeout }),
  auto_cancel_pending_pipelines: oneOf(toggleStates),
  build_coverage_regex: text(shortText),
  ci_config_path: text(filePathText),
  repository_storage: text(),
  approvals_before_merge: paid(integer({ min: 0, max: 100 })),
  mirror: paid(boolean()),
  mirror_trigger_builds: paid(boolean()),
})

/** Parameters of creation only. */
export const projectCreateSettings = optional({
  namespace_id: integer({ min: 1 }),
  initialize_with_readme: boolean(),
})

/** Parameters of editing only. */
export const projectEditSettings = optional({
  ci_default_git_depth: integer({ min: 0, max: 1000 }),
  external_authorization_classification_label: paid(text()),
  mirror_user_id: paid(integer({ min: 1 })),
  only_mirror_protected_branches: paid(boolean()),
  mirror_overwrites_diverged_branches: paid(boolean()),
  packages_enabled: paid(boolean()),
})
