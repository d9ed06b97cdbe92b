import {
  type BranchOrder,
  badRequest,
  isBranchOrTagName,
  nameMatcher,
  notFound,
} from '@stithy/core'
import {
  countDivergence,
  findBranch,
  findMerged,
  listRefs,
  listRefsByDate,
  type Ref,
  type Repository,
  readCommit,
} from '@stithy/git'
import type { Page, PageRequest } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { slicePage } from '../../platform/http/slice-page.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { codeLimitsOf } from '../../platform/settings/code-settings.ts'
import { headOf, type SourceRepository } from '../revisions/revision.service.ts'
import type { BranchView } from './branch-view.ts'

export interface BranchFilter {
  search?: string | undefined
  sort: BranchOrder
  with_divergence?: boolean | undefined
}

/** Lists the branches of a project; none in an empty repository. */
export async function findBranches(
  app: App,
  project: SourceRepository,
  { search, sort, with_divergence: isCounted = false }: BranchFilter,
  request: PageRequest,
): Promise<Page<BranchView>> {
  const all = await listOrdered(app, repositoryOf(app, project), sort)
  const page = slicePage(search ? all.filter(matching(search)) : all, request)
  const items = await complete(app, project, page.items)
  return { ...page, items: isCounted ? await withDivergence(app, project, items) : items }
}

/** Adds how far branches are from the default branch. */
async function withDivergence(
  app: App,
  project: SourceRepository,
  branches: readonly BranchView[],
): Promise<BranchView[]> {
  const head = await headOf(app, project)
  if (head === undefined) return branches.map((branch) => ({ ...branch, divergence: null }))
  const tips = branches.map(({ commit }) => commit.oid)
  const limits = codeLimitsOf(app).divergence
  const counts = await countDivergence(app.git, repositoryOf(app, project), head, tips, limits)
  return branches.map((branch, index) => ({ ...branch, divergence: counts[index] ?? null }))
}

async function listOrdered(
  app: App,
  repository: Repository,
  sort: BranchOrder,
): Promise<readonly Ref[]> {
  if (sort === 'name') return listRefs(app.git, repository, 'heads')
  const dated = await listRefsByDate(app.git, repository, 'heads')
  return sort === 'updated_asc' ? dated : dated.toReversed()
}

function matching(search: string): (ref: Ref) => boolean {
  const matches = nameMatcher(search)
  return ({ name }) => matches(name)
}

/** Loads the commits and merge states of branches; omits one that was deleted meanwhile. */
async function complete(
  app: App,
  project: SourceRepository,
  refs: readonly Ref[],
): Promise<BranchView[]> {
  const repository = repositoryOf(app, project)
  const head = await headOf(app, project)
  const [merged, commits] = await Promise.all([
    head === undefined ? new Set() : findMerged(app.git, repository, head, refs),
    Promise.all(refs.map(({ oid }) => readCommit(app.git, repository, oid))),
  ])
  return refs.flatMap(({ name, oid }, index) => {
    const commit = commits[index]
    if (commit === undefined) return []
    const isMerged = oid !== head && merged.has(oid)
    return [{ name, commit, merged: isMerged, default: name === project.defaultBranch }]
  })
}

/**
 * Finds a branch.
 * @throws DomainError `bad_request` for a name that no branch can have, `not_found`.
 */
export async function requireBranch(
  app: App,
  project: SourceRepository,
  name: string,
): Promise<BranchView> {
  if (!isBranchOrTagName(name)) throw badRequest('The branch name is invalid')
  const ref = await findBranch(app.git, repositoryOf(app, project), name)
  const [branch] = ref === undefined ? [] : await complete(app, project, [ref])
  if (branch === undefined) throw notFound('Branch')
  return branch
}

/** Whether a branch of this name exists. */
export async function branchExists(
  app: App,
  project: SourceRepository,
  name: string,
): Promise<boolean> {
  return (await findBranch(app.git, repositoryOf(app, project), name)) !== undefined
}
