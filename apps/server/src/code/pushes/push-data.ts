import { setImmediate } from 'node:timers/promises'
import {
  type NamedRef,
  type PushData,
  type PushedCommits,
  parseRef,
  pushDataOf,
  type RefUpdate,
} from '@stithy/core'
import { type Commit, type CommitRange, countRanges, readCommit, resolveCommit } from '@stithy/git'
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

/** Refs that are looked at in a row; others have a turn in between. */
const batch = 100

/** Builds the `push_data` of each moved branch and tag, in their order. */
export async function buildPushData(
  app: App,
  project: SourceRepository,
  updates: readonly RefUpdate[],
): Promise<PushData[]> {
  const head = await headOf(app, project)
  const tipOf = tipReader(app, project)
  const moves: Moved[] = []
  for (const [index, update] of updates.entries()) {
    const named = parseRef(update.ref)
    if (named === undefined) continue
    const tip = await tipOf(update.after)
    moves.push(movedOf(project, { update, named, head, tip }))
    if (index % batch === batch - 1) await setImmediate()
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

type Tip = Pick<Commit, 'oid' | 'title'>

/** Reads the commits that refs were moved to, each once; undefined for a ref to something else. */
function tipReader(
  app: App,
  project: SourceRepository,
): (after: string | null) => Promise<Tip | undefined> {
  const repository = repositoryOf(app, project)
  const read = async (object: string) => {
    const tip = await resolveCommit(app.git, repository, object)
    return tip === undefined ? undefined : readCommit(app.git, repository, tip)
  }
  const known = new Map<string, Promise<Tip | undefined>>()
  return async (after) => {
    if (after === null) return undefined
    const tip = known.get(after) ?? read(after)
    known.set(after, tip)
    return tip
  }
}

/** A ref that was moved, with its commit. */
interface Move {
  update: RefUpdate
  named: NamedRef
  /** The commit of the default branch. */
  head: string | undefined
  tip: Tip | undefined
}

/**
 * The new commits of a moved ref: those that its previous commit does not contain or, for a new
 * branch, those that the default branch does not contain. A tag has none, but shows the title of
 * its commit.
 */
function movedOf(project: SourceRepository, { update, named, head, tip }: Move): Moved {
  if (tip === undefined) return { update, named, title: null, range: undefined }
  const { oid, title } = tip
  const isTag = named.type === 'tag'
  const range = isTag ? undefined : newCommits(oid, update, named, project, head)
  return { update, named, title, range }
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
