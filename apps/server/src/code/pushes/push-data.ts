import {
  type NamedRef,
  type PushData,
  type PushedCommits,
  parseRef,
  pushDataOf,
  type RefUpdate,
} from '@stithy/core'
import { type CommitRange, countRanges, readCommit, resolveCommit } from '@stithy/git'
import type { App } from '../../platform/app.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { headOf, type SourceRepository } from '../revisions/revision.service.ts'

/**
 * Display data of a moved ref: the title of its commit and, for a branch, the range of its new
 * commits.
 */
interface Moved {
  update: RefUpdate
  named: NamedRef
  title: string | null
  range: CommitRange | undefined
}

/** Builds the `push_data` of each moved branch and tag, in their order. */
export async function buildPushData(
  app: App,
  project: SourceRepository,
  updates: readonly RefUpdate[],
): Promise<PushData[]> {
  const head = await headOf(app, project)
  const moves: Moved[] = []
  for (const update of updates) {
    const named = parseRef(update.ref)
    if (named !== undefined) moves.push(await movedOf(app, project, update, named, head))
  }
  const ranges = moves.flatMap(({ range }) => range ?? [])
  const counts = (await countRanges(app.git, repositoryOf(app, project), ranges)).values()
  return moves.map(({ update, named, title, range }) => {
    const count = range === undefined ? 0 : (counts.next().value ?? 0)
    const hasTitle = count > 0 || named.type === 'tag'
    const commits: PushedCommits = { count, title: hasTitle ? title : null }
    return pushDataOf(update, named, commits)
  })
}

/**
 * The new commits of a moved ref: those that its previous commit does not contain or, for a new
 * branch, those that the default branch does not contain. A tag has none, but shows the title of
 * its commit.
 */
async function movedOf(
  app: App,
  project: SourceRepository,
  update: RefUpdate,
  named: NamedRef,
  head: string | undefined,
): Promise<Moved> {
  const empty = { update, named, title: null, range: undefined }
  if (update.after === null) return empty
  const repository = repositoryOf(app, project)
  const tip = await resolveCommit(app.git, repository, update.after)
  if (tip === undefined) return empty
  const title = (await readCommit(app.git, repository, tip))?.title ?? null
  if (named.type === 'tag') return { ...empty, title }
  return { update, named, title, range: newCommits(tip, update, named, project, head) }
}

function newCommits(
  tip: string,
  update: RefUpdate,
  named: NamedRef,
  { defaultBranch }: Pick<SourceRepository, 'defaultBranch'>,
  head: string | undefined,
): CommitRange {
  const known = update.before ?? (named.name === defaultBranch ? undefined : head)
  return { tip, ...(known === undefined ? {} : { notReachableFrom: known }) }
}

/** The new commits of a moved branch, as `push_data` counts them; none for a tag. */
export async function historyOfPush(
  app: App,
  project: SourceRepository,
  { update, named, head }: { update: RefUpdate; named: NamedRef; head: string | null },
): Promise<CommitRange | undefined> {
  if (update.after === null || named.type === 'tag') return undefined
  const tip = await resolveCommit(app.git, repositoryOf(app, project), update.after)
  return tip === undefined ? undefined : newCommits(tip, update, named, project, head ?? undefined)
}
