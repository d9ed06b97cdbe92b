import {
  type BranchOrder,
  badRequest,
  isBranchOrTagName,
  nameMatcher,
  notFound,
} from '@stithy/core'
import {
  findBranch,
  findMerged,
  listRefs,
  listRefsByDate,
  type Ref,
  type Repository,
  readCommit,
} from '@stithy/git'
import type { Page, PageRequest } from '@stithy/store'
import type { App } from '../app.ts'
import {
  type CodePlace,
  headOf,
  repositoryOf,
  slicePage,
} from '../repositories/repository.service.ts'
import type { FoundBranch } from './branch-found.ts'

export interface BranchFilter {
  search?: string | undefined
  sort: BranchOrder
}

/** One page of branches; none in an empty repository. */
export async function findBranches(
  app: App,
  place: CodePlace,
  { search, sort }: BranchFilter,
  request: PageRequest,
): Promise<Page<FoundBranch>> {
  const all = await listOrdered(app, repositoryOf(app, place), sort)
  const page = slicePage(search ? all.filter(matching(search)) : all, request)
  return { ...page, items: await complete(app, place, page.items) }
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

/** Fetches what is shown of branches; one that goes meanwhile is left out. */
async function complete(app: App, place: CodePlace, refs: readonly Ref[]): Promise<FoundBranch[]> {
  const repository = repositoryOf(app, place)
  const head = await headOf(app, place)
  const [merged, commits] = await Promise.all([
    head === undefined ? new Set() : findMerged(app.git, repository, head, refs),
    Promise.all(refs.map(({ oid }) => readCommit(app.git, repository, oid))),
  ])
  return refs.flatMap(({ name, oid }, index) => {
    const commit = commits[index]
    if (commit === undefined) return []
    const isMerged = oid !== head && merged.has(oid)
    return [{ name, commit, merged: isMerged, default: name === place.defaultBranch }]
  })
}

/**
 * One branch.
 * @throws DomainError `bad_request` for a name that no branch can have, `not_found`.
 */
export async function requireBranch(
  app: App,
  place: CodePlace,
  name: string,
): Promise<FoundBranch> {
  if (!isBranchOrTagName(name)) throw badRequest('The branch name is invalid')
  const ref = await findBranch(app.git, repositoryOf(app, place), name)
  const [branch] = ref === undefined ? [] : await complete(app, place, [ref])
  if (branch === undefined) throw notFound('Branch')
  return branch
}

/** Whether there is a branch of this name. */
export async function branchExists(app: App, place: CodePlace, name: string): Promise<boolean> {
  return (await findBranch(app.git, repositoryOf(app, place), name)) !== undefined
}
