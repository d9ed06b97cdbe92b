import { visibilities } from '../../platform/access/level.ts'
import {
  choice,
  choices,
  flag,
  line,
  natural,
  number,
  numberChoice,
  optionalChoice,
  optionalNumber,
  positive,
  type SettingTable,
  texts,
} from './setting.ts'

/** What new projects and groups are like, and how repositories are kept. */
export const contentSettings = {
  default_project_visibility: choice(visibilities, 'private', 'Visibility of new projects.', {
    acts: true,
  }),
  default_group_visibility: choice(visibilities, 'private', 'Visibility of new groups.', {
    acts: true,
  }),
  default_snippet_visibility: choice(visibilities, 'private', 'Visibility of new snippets.', {
    acts: true,
  }),
  default_projects_limit: number(100_000, natural, 'Personal projects of a new user.', {
    acts: true,
  }),
  default_project_creation: numberChoice(
    [0, 1, 2],
    2,
    'Who creates projects in groups: 0 administrators, 1 maintainers, 2 developers too.',
    { acts: true },
  ),
  default_branch_protection: numberChoice(
    [0, 1, 2, 3],
    2,
    'Protection of new default branches: 0 none, 1 partial, 2 full, 3 against pushes.',
    { acts: true },
  ),
  enabled_git_access_protocol: optionalChoice(
    ['ssh', 'http'],
    'The only protocol of git; null or `nil` for both.',
    { acts: true },
  ),
  import_sources: choices(
    [
      'github',
      'bitbucket',
      'bitbucket_server',
      'gitlab',
      'google_code',
      'fogbugz',
      'git',
      'gitlab_project',
      'gitea',
      'manifest',
      'phabricator',
    ],
    ['git'],
    'Where projects may be imported from; `git` stands for `import_url`.',
    { acts: true },
  ),
  project_export_enabled: flag(true, 'Projects may be exported.'),
  file_template_project_id: optionalNumber(positive, 'Project with the templates of files.', {
    tier: 'premium',
  }),
  max_attachment_size: number(10, positive, 'MiB of an uploaded file.', { acts: true }),
  max_artifacts_size: number(100, positive, 'MiB of the artifacts of a job.'),
  max_pages_size: number(100, natural, 'MiB of a published site; 0 for no limit.'),
  receive_max_input_size: optionalNumber(positive, 'MiB of a push; null for the configured one.', {
    acts: true,
  }),
  diff_max_patch_bytes: number(
    102_400,
    { min: 1024, max: 512_000 },
    'Bytes of the diff of a file; larger ones are left out.',
    { acts: true },
  ),
  repository_size_limit: number(0, natural, 'MiB of a repository; 0 for no limit.', {
    tier: 'premium',
  }),
  repository_storages: texts('Storages of new repositories.', { initial: ['default'] }),
  repository_checks_enabled: flag(false, 'Checks repositories for damage at intervals.'),
  hashed_storage_enabled: flag(true, 'Folders are named after ids; always the case here.'),
  gitstore_timeout_default: number(
    55,
    natural,
    'Seconds of a git command that lists or counts; 0 for no lower limit.',
    {
      acts: true,
    },
  ),
  gitstore_timeout_fast: number(
    10,
    natural,
    'Seconds of a fast git command; 0 for no lower limit.',
    {
      acts: true,
    },
  ),
  gitstore_timeout_medium: number(30, natural, 'Seconds of diffs and blames, between the two.', {
    acts: true,
  }),
  housekeeping_enabled: flag(true, 'Repositories are repacked after pushes.', {
    acts: true,
    needs: [
      'housekeeping_bitmaps_enabled',
      'housekeeping_full_repack_period',
      'housekeeping_gc_period',
      'housekeeping_incremental_repack_period',
    ],
  }),
  housekeeping_bitmaps_enabled: flag(true, 'Packs get bitmaps, which make clones faster.'),
  housekeeping_full_repack_period: number(50, positive, 'Pushes between full repacks.'),
  housekeeping_gc_period: number(200, positive, 'Pushes between garbage collections.', {
    acts: true,
  }),
  housekeeping_incremental_repack_period: number(10, positive, 'Pushes between small repacks.', {
    acts: true,
  }),
  mirror_available: flag(true, 'Members may set up mirrors.'),
  mirror_capacity_threshold: number(50, positive, 'Free places before more are scheduled.', {
    tier: 'premium',
  }),
  mirror_max_capacity: number(100, positive, 'Mirrors at the same time.', { tier: 'premium' }),
  mirror_max_delay: number(300, positive, 'Minutes between updates of a mirror.', {
    tier: 'premium',
  }),
  auto_devops_enabled: flag(true, 'Projects without a CI configuration get one.'),
  auto_devops_domain: line('Domain of their deployments.'),
  default_artifacts_expire_in: line('How long artifacts are kept.', { initial: '30 days' }),
  archive_builds_in_human_readable: line('After how long jobs cannot be retried.'),
  protected_ci_variables: flag(false, 'New CI variables are protected.'),
  shared_runners_enabled: flag(true, 'New projects may use the runners of all.', { acts: true }),
  shared_runners_text: line('What is said of those runners.'),
  shared_runners_minutes: number(0, natural, 'Minutes of them a month; 0 for no limit.', {
    tier: 'premium',
  }),
  container_registry_token_expire_delay: number(5, positive, 'Minutes of a registry token.'),
  pages_domain_verification_enabled: flag(true, 'Domains of pages are verified by a DNS record.', {
    acts: true,
  }),
  check_namespace_plan: flag(false, 'Features depend on the plan of a group.', {
    tier: 'premium',
  }),
  commit_email_hostname: line('Domain of the private addresses of users.'),
} as const satisfies SettingTable
