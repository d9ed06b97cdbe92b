import {
  type BranchOrder,
  type BranchProtection,
  compareBranches,
  DomainError,
  isBranchOrTagName,
  nameMatcher,
  notFound,
  unprotected,
} from '@stithy/core'
import {
  findBranch,
  findMergeBase,
  listRefs,
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

/** What protects a branch of a project. Branches cannot be protected yet, so nothing does. */
function protectionOf(_place: CodePlace, _name: string): BranchProtection {
  return unprotected
}

/** One page of branches; none in an empty repository. */
export async function findBranches(
  app: App,
  place: CodePlace,
  filter: BranchFilter,
  request: PageRequest,
): Promise<Page<FoundBranch>> {
  const repository = repositoryOf(app, place)
  const refs = await listRefs(app.git, repository, 'heads')
  const found = filter.search ? refs.filter(matching(filter.search)) : refs
  const sorted = filter.sort === 'name' ? found : await sortByDate(app, repository, found, filter)
  const page = slicePage(sorted, request)
  const head = await headOf(app, place)
  const items = await Promise.all(page.items.map((ref) => complete(app, place, ref, head)))
  return { ...page, items: items.filter((branch) => branch !== undefined) }
}

function matching(search: string): (ref: Ref) => boolean {
  const matches = nameMatcher(search)
  return ({ name }) => matches(name)
}

async function sortByDate(
  app: App,
  repository: Repository,
  refs: readonly Ref[],
  { sort }: BranchFilter,
): Promise<Ref[]> {
  const dated = await Promise.all(
    refs.map(async (ref) => {
      const commit = await readCommit(app.git, repository, ref.oid)
      return { ref, name: ref.name, committedAt: Date.parse(commit?.committer.date ?? '') || 0 }
    }),
  )
  return dated.sort((a, b) => compareBranches(sort, a, b)).map(({ ref }) => ref)
}

async function complete(
  app: App,
  place: CodePlace,
  ref: Ref,
  head: string | undefined,
): Promise<FoundBranch | undefined> {
  const repository = repositoryOf(app, place)
  const commit = await readCommit(app.git, repository, ref.oid)
  if (commit === undefined) return undefined
  return {
    name: ref.name,
    commit,
    merged: await isMerged(app, repository, ref.oid, head),
    default: ref.name === place.defaultBranch,
    protection: protectionOf(place, ref.name),
  }
}

/** Both ids are immutable, so the git package answers a second time without a process. */
async function isMerged(
  app: App,
  repository: Repository,
  tip: string,
  head: string | undefined,
): Promise<boolean> {
  if (head === undefined || head === tip) return false
  return (await findMergeBase(app.git, repository, tip, head)) === tip
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
  if (!isBranchOrTagName(name)) {
    throw new DomainError('bad_request', { message: 'The branch name is invalid' })
  }
  const ref = await findBranch(app.git, repositoryOf(app, place), name)
  const branch = ref && (await complete(app, place, ref, await headOf(app, place)))
  if (branch === undefined) throw notFound('Branch')
  return branch
}

/** Whether there is a branch of this name. */
export async function branchExists(app: App, place: CodePlace, name: string): Promise<boolean> {
  return (await findBranch(app.git, repositoryOf(app, place), name)) !== undefined
}
