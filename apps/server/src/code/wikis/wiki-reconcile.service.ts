import { parseRef, type RefUpdate } from '@stithy/core'
import { findBranch, findMergeBase, findTag, repositoryExists } from '@stithy/git'
import { findRepository, type PushJournalRow, type RepositoryRow } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { recordWikiPush } from './wiki-record.service.ts'
import { wikiRepositoryOf } from './wiki-repository.ts'

/** Records what an interrupted push to a wiki moved; see push-journal.ts. */
export async function reconcileWikiPush(app: App, journal: PushJournalRow): Promise<void> {
  const { id, projectId, userId } = journal
  const project = await findRepository(app.db, projectId)
  const updates: RefUpdate[] = []
  for (const update of project === undefined ? [] : journal.updates) {
    if (await hasWikiMoved(app, project as RepositoryRow, update)) updates.push(update)
  }
  app.log.warn({ projectId, moved: updates.length }, 'an interrupted push to a wiki was recorded')
  await recordWikiPush(app, { projectId, userId, updates, journalId: id })
}

/** A commit of the push that a later one contains has been in the branch. */
async function hasWikiMoved(
  app: App,
  project: RepositoryRow,
  { ref, before, after }: RefUpdate,
): Promise<boolean> {
  const repository = wikiRepositoryOf(app, project)
  const named = parseRef(ref)
  if (named === undefined || !(await repositoryExists(repository))) return false
  const find = named.type === 'branch' ? findBranch : findTag
  const current = (await find(app.git, repository, named.name))?.oid ?? null
  if (current === after) return true
  if (current === before || current === null || after === null) return false
  return (await findMergeBase(app.git, repository, after, current)) === after
}
