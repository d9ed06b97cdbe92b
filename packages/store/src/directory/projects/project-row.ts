import type { Kysely } from 'kysely'
import type { Row, Schema } from '../../platform/schema/schema.ts'

/** Columns of the simple shape, and those that decide who may see the project. */
const simpleProjectColumns = [
  'p.id',
  'p.namespaceId',
  'p.name',
  'p.path',
  'p.fullPath',
  'p.description',
  'p.visibility',
  'p.defaultBranch',
  'p.archived',
  'p.tagList',
  'p.avatar',
  'p.forkedFromProjectId',
  'p.emptyRepo',
  'p.readmePath',
  'p.forksCount',
  'p.starCount',
  'p.issuesAccessLevel',
  'p.repositoryAccessLevel',
  'p.mergeRequestsAccessLevel',
  'p.buildsAccessLevel',
  'p.wikiAccessLevel',
  'p.snippetsAccessLevel',
  'p.lastActivityAt',
  'p.createdAt',
] as const

const moreColumns = [
  'p.creatorId',
  'p.openIssuesCount',
  'p.importStatus',
  'p.importError',
  'p.runnersToken',
  'p.repositoryStorage',
  'p.repositoryPath',
  'p.updatedAt',
  'p.mergeMethod',
  'p.resolveOutdatedDiffDiscussions',
  'p.containerRegistryEnabled',
  'p.sharedRunnersEnabled',
  'p.publicJobs',
  'p.onlyAllowMergeIfPipelineSucceeds',
  'p.onlyAllowMergeIfAllDiscussionsAreResolved',
  'p.lfsEnabled',
  'p.requestAccessEnabled',
  'p.printingMergeRequestLinkEnabled',
  'p.autoDevopsEnabled',
  'p.autoDevopsDeployStrategy',
  'p.buildGitStrategy',
  'p.buildTimeout',
  'p.autoCancelPendingPipelines',
  'p.buildCoverageRegex',
  'p.ciConfigPath',
  'p.ciDefaultGitDepth',
  'p.approvalsBeforeMerge',
  'p.packagesEnabled',
  'p.mirror',
  'p.mirrorUserId',
  'p.mirrorTriggerBuilds',
  'p.onlyMirrorProtectedBranches',
  'p.mirrorOverwritesDivergedBranches',
  'p.externalAuthorizationClassificationLabel',
] as const

/** Columns of the project's namespace. */
const simpleNamespaceColumns = [
  'n.fullName as namespaceFullName',
  'n.kind as namespaceKind',
  'n.ownerId as namespaceOwnerId',
] as const

const namespaceColumns = [
  'n.name as namespaceName',
  'n.path as namespacePath',
  'n.fullPath as namespaceFullPath',
  'n.parentId as namespaceParentId',
  'n.visibility as namespaceVisibility',
  'n.avatar as namespaceAvatar',
  'o.name as ownerName',
  'o.createdAt as ownerCreatedAt',
  'o.avatar as ownerAvatar',
  'o.username as ownerUsername',
] as const

type Name<Column extends string> = Column extends `p.${infer N}` ? N : never

/** A project with the columns of the simple shape. */
export interface SimpleProjectRow
  extends Pick<
    Row<'projects'>,
    Name<(typeof simpleProjectColumns)[number]> & keyof Row<'projects'>
  > {
  /** Display names from the root, `Top / Below`. */
  namespaceFullName: string
  namespaceKind: 'user' | 'group'
  /** The user of a personal namespace. */
  namespaceOwnerId: number | null
}

/** A project with all its columns, its namespace and, for a personal one, the namespace's user. */
export interface ProjectRow
  extends SimpleProjectRow,
    Pick<Row<'projects'>, Name<(typeof moreColumns)[number]> & keyof Row<'projects'>> {
  namespaceName: string
  namespacePath: string
  namespaceFullPath: string
  namespaceParentId: number | null
  namespaceVisibility: Row<'namespaces'>['visibility']
  namespaceAvatar: string | null
  ownerName: string | null
  ownerCreatedAt: number | null
  ownerAvatar: string | null
  ownerUsername: string | null
}

/** Columns for a `SimpleProjectRow`, of `projects as p` and `namespaces as n`. */
export const simpleColumns = [...simpleProjectColumns, ...simpleNamespaceColumns] as const

/** Columns for a `ProjectRow`, of `projects as p`, `namespaces as n` and `users as o`. */
export const fullColumns = [...simpleColumns, ...moreColumns, ...namespaceColumns] as const

/** Selects from the projects that are not deleted, joined with their namespace and its user. */
export function fromProjects(db: Kysely<Schema>) {
  return db
    .selectFrom('projects as p')
    .innerJoin('namespaces as n', 'n.id', 'p.namespaceId')
    .leftJoin('users as o', 'o.id', 'n.ownerId')
    .where('p.deletedAt', 'is', null)
}
