import { movedUnrecorded, parseRef, type RefUpdate } from '@stithy/core'
import { findBranch, findTag } from '@stithy/git'
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
import { recordPush } from './push.service.ts'
import { isPushInProgress } from './push-journal.ts'

declare module '../../platform/app.ts' {
  interface App {
    /** Records what an interrupted push to a wiki moved, and deletes its job. */
    reconcileWikiPush: (app: App, journal: PushJournalRow) => Promise<void>
  }
}

/** Checks a push that was interrupted, and records what it moved; see push-journal.ts. */
export const pushReconcileJob = {
  kind: pushReconcileKind,
  async run(app: App, payload: unknown): Promise<void> {
    const { key } = payload as PushJournal
    const journals = await listPushJournals(app.db)
    const journal = journals.find((row) => row.key === key)
    if (journal === undefined) return
    if (isPushInProgress(app, journal.id)) throw new Error('the push is still in progress')
    await (journal.isWiki
      ? app.reconcileWikiPush(app, journal)
      : reconcilePush(app, journal, journals))
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
