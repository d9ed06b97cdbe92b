import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

type Feature = Generated<'disabled' | 'private' | 'enabled'>

/** Columns that identify a project and its parent. */
interface ProjectIdentityColumns {
  id: Generated<number>
  namespaceId: number
  creatorId: number | null
  name: string
  nameLower: string
  path: string
  pathLower: string
  fullPath: string
  fullPathLower: string
  description: string | null
  visibility: 'private' | 'internal' | 'public'
  defaultBranch: string | null
  archived: Generated<Flag>
  /** JSON array of strings. */
  tagList: Generated<string>
  avatar: string | null
  importStatus: Generated<string>
  importError: string | null
  forkedFromProjectId: number | null
  runnersToken: string
  repositoryStorage: Generated<string>
  /** Hashed path inside the storage; renaming a project moves no files. */
  repositoryPath: string
  emptyRepo: Generated<Flag>
  readmePath: string | null
  /** How many pushes were recorded: what a push read of the project is stale once it differs. */
  refsVersion: Generated<number>
  forksCount: Generated<number>
  starCount: Generated<number>
  openIssuesCount: Generated<number>
  wikiChecksumFailed: Generated<Flag>
  repositoryChecksumFailed: Generated<Flag>
  lastActivityAt: number
  createdAt: number
  updatedAt: number
  /** Set while the background deletion is running; name and path are changed with it. */
  deletedAt: number | null
}

/** Columns that maintainers set. */
interface ProjectSettingColumns {
  mergeMethod: Generated<'merge' | 'rebase_merge' | 'ff'>
  issuesAccessLevel: Feature
  repositoryAccessLevel: Feature
  mergeRequestsAccessLevel: Feature
  buildsAccessLevel: Feature
  wikiAccessLevel: Feature
  snippetsAccessLevel: Feature
  resolveOutdatedDiffDiscussions: Generated<Flag>
  containerRegistryEnabled: Generated<Flag>
  sharedRunnersEnabled: Generated<Flag>
  publicJobs: Generated<Flag>
  onlyAllowMergeIfPipelineSucceeds: Generated<Flag>
  onlyAllowMergeIfAllDiscussionsAreResolved: Generated<Flag>
  lfsEnabled: Generated<Flag>
  requestAccessEnabled: Generated<Flag>
  printingMergeRequestLinkEnabled: Generated<Flag>
  autoDevopsEnabled: Generated<Flag>
  autoDevopsDeployStrategy: Generated<'continuous' | 'manual' | 'timed_incremental'>
  buildGitStrategy: Generated<'fetch' | 'clone'>
  /** Seconds. */
  buildTimeout: Generated<number>
  autoCancelPendingPipelines: Generated<'enabled' | 'disabled'>
  buildCoverageRegex: string | null
  ciConfigPath: string | null
  ciDefaultGitDepth: Generated<number>
  approvalsBeforeMerge: Generated<number>
  packagesEnabled: Generated<Flag>
  mirror: Generated<Flag>
  mirrorUserId: number | null
  mirrorTriggerBuilds: Generated<Flag>
  onlyMirrorProtectedBranches: Generated<Flag>
  mirrorOverwritesDivergedBranches: Generated<Flag>
  externalAuthorizationClassificationLabel: string | null
}

/** Where a project's repository is being imported from; deleted when the import has ended. */
export interface ProjectImportsTable {
  projectId: number
  /** An http or https URL, without credentials. */
  url: string
  username: string
  password: string
}

export interface ProjectsTable extends ProjectIdentityColumns, ProjectSettingColumns {}

/** How often a project was fetched on a day; days on which it was not have no row. */
export interface ProjectFetchesTable {
  projectId: number
  /** `YYYY-MM-DD`, UTC. */
  day: string
  count: number
}

/** Sizes in bytes, refreshed in the background. */
export interface ProjectStatisticsTable {
  projectId: number
  commitCount: Generated<number>
  countedTip: string | null
  storageSize: Generated<number>
  repositorySize: Generated<number>
  wikiSize: Generated<number>
  lfsObjectsSize: Generated<number>
  jobArtifactsSize: Generated<number>
  packagesSize: Generated<number>
  updatedAt: number
}

export interface ProjectLanguagesTable {
  projectId: number
  language: string
  languageLower: string
  bytes: number
}

export interface StarsTable {
  userId: number
  projectId: number
  createdAt: number
}
