import {
  type NamedRef,
  type PushData,
  type PushedCommits,
  parseRef,
  pushDataOf,
  type RefUpdate,
} from '@stithy/core'
import { type CommitRange, countRanges, readCommit, resolveCommit } from '@stithy/git'
import type { App } from '../app.ts'
import { type CodePlace, headOf, repositoryOf } from '../repositories/repository.service.ts'

/** What a moved ref shows: the title of its commit and, of a branch, where the new commits lie. */
interface Moved {
  update: RefUpdate
  named: NamedRef
  title: string | null
  range: CommitRange | undefined
}

/** The `push_data` of each moved branch and tag, in their order. */
export async function describeUpdates(
  app: App,
  place: CodePlace,
  updates: readonly RefUpdate[],
): Promise<PushData[]> {
  const head = await headOf(app, place)
  const moves: Moved[] = []
  for (const update of updates) {
    const named = parseRef(update.ref)
    if (named !== undefined) moves.push(await movedOf(app, place, update, named, head))
  }
  const ranges = moves.flatMap(({ range }) => range ?? [])
  const counts = (await countRanges(app.git, repositoryOf(app, place), ranges)).values()
  return moves.map(({ update, named, title, range }) => {
    const count = range === undefined ? 0 : (counts.next().value ?? 0)
    const isShown = count > 0 || named.type === 'tag'
    const commits: PushedCommits = { count, title: isShown ? title : null }
    return pushDataOf(update, named, commits)
  })
}

/**
 * The new commits of a moved ref: those that its old place does not have or, of a new branch, those that
 * the default branch does not have. A tag brings none, but shows the title of its commit.
 */
async function movedOf(
  app: App,
  place: CodePlace,
  update: RefUpdate,
  named: NamedRef,
  head: string | undefined,
): Promise<Moved> {
  const gone = { update, named, title: null, range: undefined }
  if (update.after === null) return gone
  const repository = repositoryOf(app, place)
  const tip = await resolveCommit(app.git, repository, update.after)
  if (tip === undefined) return gone
  const title = (await readCommit(app.git, repository, tip))?.title ?? null
  if (named.type === 'tag') return { ...gone, title }
  return { update, named, title, range: newCommits(tip, update, named, place, head) }
}

function newCommits(
  tip: string,
  update: RefUpdate,
  named: NamedRef,
  { defaultBranch }: Pick<CodePlace, 'defaultBranch'>,
  head: string | undefined,
): CommitRange {
  const known = update.before ?? (named.name === defaultBranch ? undefined : head)
  return { tip, ...(known === undefined ? {} : { notReachableFrom: known }) }
}

/** The new commits of a moved branch, as `push_data` counts them; a tag brings none. */
export async function historyOfPush(
  app: App,
  place: CodePlace,
  { update, named, head }: { update: RefUpdate; named: NamedRef; head: string | null },
): Promise<CommitRange | undefined> {
  if (update.after === null || named.type === 'tag') return undefined
  const tip = await resolveCommit(app.git, repositoryOf(app, place), update.after)
  return tip === undefined ? undefined : newCommits(tip, update, named, place, head ?? undefined)
}
