import { parseRef } from '@stithy/core'
import { isNotFound, listNewCommits, listRangeIds, listRefs } from '@stithy/git'
import type { RepositoryRow } from '@stithy/store'
import type { RecordedPush } from '../../code/pushes/push.changes.ts'
import type { App } from '../../platform/app.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'

/**
 * New commits of one push whose messages are read: the newest, those of the default branch first.
 */
const maxCommits = 1000

/** By hash, oldest first. */
export interface PushedCommits {
  /** New commits of the default branch. */
  main: readonly string[]
  /**
   * Commits that no branch contained before, and that another branch than the default one contains
   * now.
   */
  others: readonly string[]
}

/**
 * Finds the new commits of a push. Not new are the commits that the default branch was created
 * with, those of branches that start at a commit which a branch contained before, and those that
 * were removed again.
 */
export async function findPushedCommits(
  app: App,
  repository: RepositoryRow,
  push: RecordedPush,
): Promise<PushedCommits> {
  const main = await commitsOfMain(app, repository, push)
  const limit = maxCommits - main.length
  return { main, others: await commitsOfOthers(app, repository, push, limit) }
}

function mainRef({ defaultBranch }: RecordedPush): string | undefined {
  return defaultBranch === null ? undefined : `refs/heads/${defaultBranch}`
}

async function commitsOfMain(
  app: App,
  repository: RepositoryRow,
  push: RecordedPush,
): Promise<string[]> {
  const ref = mainRef(push)
  const update = push.updates.find((one) => one.ref === ref)
  if (!update || update.before === null || update.after === null) return []
  const range = { tip: update.after, notReachableFrom: update.before, limit: maxCommits }
  try {
    return (await listRangeIds(app.git, repositoryOf(app, repository), range)).toReversed()
  } catch (error) {
    if (isNotFound(error)) return []
    throw error
  }
}

async function commitsOfOthers(
  app: App,
  repository: RepositoryRow,
  push: RecordedPush,
  limit: number,
): Promise<string[]> {
  const main = mainRef(push)
  const tips = push.updates.flatMap(({ ref, after }) =>
    after !== null && ref !== main && parseRef(ref)?.type === 'branch' ? after : [],
  )
  if (tips.length === 0 || limit === 0) return []
  const known = await tipsBefore(app, repository, push)
  const unknown = [...new Set(tips)].filter((tip) => !known.has(tip))
  if (unknown.length === 0) return []
  const query = { tips: unknown, known: [...known], limit }
  return (await listNewCommits(app.git, repositoryOf(app, repository), query)).toReversed()
}

/**
 * Concurrent pushes move their branches before either is recorded. What another one pushed a moment
 * ago therefore counts as new to this one, too: a commit that is read twice gets one system note.
 */
const overlapMs = 10_000

/**
 * The tips of the branches before the push, though others may have moved since; and the default
 * branch after it.
 */
async function tipsBefore(
  app: App,
  repository: RepositoryRow,
  push: RecordedPush,
): Promise<Set<string>> {
  const heads = await listRefs(app.git, repositoryOf(app, repository), 'heads')
  const tips = new Map<string, string | null>(heads.map(({ name, oid }) => [name, oid]))
  const window = { projectId: push.projectId, since: push.pushedAt - overlapMs }
  const moves = await app.recordedMoves.ofBranches(app.db, window)
  // The first move since then contains where a branch was.
  for (const { ref, from } of moves.toReversed()) tips.set(ref, from)
  for (const { ref, before } of push.updates) {
    const named = parseRef(ref)
    if (named?.type === 'branch') tips.set(named.name, before)
  }
  return new Set([...tips.values(), push.head].filter((tip) => tip !== null))
}
