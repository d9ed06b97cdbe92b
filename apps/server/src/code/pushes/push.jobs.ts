import { movedUnrecorded, parseRef, type RefUpdate } from '@stithy/core'
import { findBranch, findMergeBase, findTag, repositoryExists } from '@stithy/git'
import {
  closePushJournal,
  findRepository,
  listPushJournals,
  type PushJournal,
  type PushJournalRow,
  pushReconcileKind,
  type RepositoryRow,
  schedulePushJournals,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { recordWikiPush } from '../wikis/wiki-record.service.ts'
import { wikiRepositoryOf } from '../wikis/wiki-repository.ts'
import { recordPush } from './push.service.ts'
import { isPushInProgress } from './push-journal.ts'

/** Checks a push that was interrupted, and records what it moved; see push-journal.ts. */
export const pushReconcileJob = {
  kind: pushReconcileKind,
  async run(app: App, payload: unknown): Promise<void> {
    const { key } = payload as PushJournal
    const journals = await listPushJournals(app.db)
    const journal = journals.find((row) => row.key === key)
    if (journal === undefined) return
    if (isPushInProgress(app, journal.id)) throw new Error('the push is still in progress')
    await (journal.isWiki ? reconcileWikiPush(app, journal) : reconcilePush(app, journal, journals))
  },
}

/**
 * For the start of the only server of a data folder: no push can be in progress, so all pushes that
 * have a job were interrupted and are recorded immediately.
 */
export async function reconcilePushes(app: App): Promise<void> {
  const journals = await listPushJournals(app.db)
  const ids = journals.map(({ id }) => id)
  if (ids.length > 0) await schedulePushJournals(app.db, ids, app.now())
}

async function reconcilePush(
  app: App,
  journal: PushJournalRow,
  journals: readonly PushJournalRow[],
): Promise<void> {
  const project = await findRepository(app.db, journal.projectId)
  const updates: RefUpdate[] = []
  for (const update of project === undefined ? [] : journal.updates) {
    if (await hasMoved(app, project as RepositoryRow, journal, update, journals)) {
      updates.push(update)
    }
  }
  const { id, projectId, userId, options } = journal
  app.log.warn({ projectId, moved: updates.length }, 'an interrupted push was recorded')
  if (updates.length > 0)
    await recordPush(app, { projectId, userId, updates, options, journalId: id })
  else await app.db.transaction((tx) => closePushJournal(tx, id))
}

/** Records what an interrupted push to a wiki moved. */
async function reconcileWikiPush(app: App, journal: PushJournalRow): Promise<void> {
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

async function hasMoved(
  app: App,
  project: RepositoryRow,
  journal: PushJournalRow,
  update: RefUpdate,
  journals: readonly PushJournalRow[],
): Promise<boolean> {
  const named = parseRef(update.ref)
  if (named === undefined) return false
  const find = named.type === 'branch' ? findBranch : findTag
  const current = await find(app.git, repositoryOf(app, project), named.name)
  const recorded = await app.recordedMoves.ofRef(app.db, {
    projectId: project.id,
    refType: named.type,
    ref: named.name,
    since: journal.startedAt,
  })
  const attempted = journals
    .filter((row) => row.id !== journal.id && row.projectId === project.id && !row.isWiki)
    .flatMap(({ updates }) => updates.filter(({ ref }) => ref === update.ref))
    .map(({ before, after }) => ({ from: before, to: after }))
  return movedUnrecorded(update, current?.oid ?? null, { recorded, attempted })
}
