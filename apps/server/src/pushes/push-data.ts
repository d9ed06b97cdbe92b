import {
  type NamedRef,
  type PushData,
  type PushedCommits,
  parseRef,
  pushDataOf,
  type RefUpdate,
} from '@stithy/core'
import { countCommits, readCommit, resolveCommit } from '@stithy/git'
import type { App } from '../app.ts'
import { type CodePlace, headOf, repositoryOf } from '../repositories/repository.service.ts'

const nothing: PushedCommits = { count: 0, title: null }

/** The `push_data` of each moved branch and tag, in their order. */
export async function describeUpdates(
  app: App,
  place: CodePlace,
  updates: readonly RefUpdate[],
): Promise<PushData[]> {
  const head = await headOf(app, place)
  const data: PushData[] = []
  for (const update of updates) {
    const named = parseRef(update.ref)
    if (named === undefined) continue
    data.push(pushDataOf(update, named, await commitsOf(app, place, update, named, head)))
  }
  return data
}

/**
 * The new commits of a moved ref: those that its old place does not have or, of a new branch, those that
 * the default branch does not have. A tag brings none, but shows the title of its commit.
 */
async function commitsOf(
  app: App,
  place: CodePlace,
  update: RefUpdate,
  named: NamedRef,
  head: string | undefined,
): Promise<PushedCommits> {
  if (update.after === null) return nothing
  const repository = repositoryOf(app, place)
  const tip = await resolveCommit(app.git, repository, update.after)
  if (tip === undefined) return nothing
  const title = (await readCommit(app.git, repository, tip))?.title ?? null
  if (named.type === 'tag') return { count: 0, title }
  const isDefault = named.name === place.defaultBranch
  const known = update.before ?? (isDefault ? undefined : head)
  const count = await countCommits(app.git, repository, {
    tip,
    ...(known === undefined ? {} : { notReachableFrom: known }),
  })
  return { count, title: count === 0 ? null : title }
}
