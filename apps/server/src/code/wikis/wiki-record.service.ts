import { firstDefaultBranch, type RefUpdate } from '@stithy/core'
import { findBranch, isLimit, readHead, setHead } from '@stithy/git'
import { findRepository, type RepositoryRow } from '@stithy/store'
import { existingActor } from '../../directory/users/ghost.service.ts'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { closeJournal } from '../pushes/push-journal.ts'
import type { WikiPageChange } from './wiki.changes.ts'
import { readWikiFiles, type WikiFiles } from './wiki-pages.service.ts'
import { openWiki, wikiRepositoryOf } from './wiki-repository.ts'

/** Refs of a wiki that have moved, and who moved them. */
export interface WikiPush {
  projectId: number
  userId: number
  updates: readonly RefUpdate[]
  /** The job of the push (push-journal.ts), which is deleted with the recording. */
  journalId: number
  /** The changed pages, if they are known; otherwise they are found by comparing the commits. */
  pages?: readonly WikiPageChange[]
}

/**
 * Records refs of a wiki that have moved, with all effects. Call it once git has finished, and
 * before the client gets its response.
 */
export async function recordWikiPush(app: App, push: WikiPush): Promise<void> {
  const { projectId, updates, journalId } = push
  const project = await findRepository(app.db, projectId)
  if (project === undefined || updates.length === 0) {
    await app.db.transaction((tx) => closeJournal(tx, journalId))
    return
  }
  await chooseBranch(app, project, updates)
  const pages = push.pages ?? (await findChangedPages(app, project, updates))
  const now = app.now()
  await app.db.transaction(async (tx) => {
    if (!(await closeJournal(tx, journalId))) return
    const userId = await existingActor(tx, push.userId, now)
    const change = { userId, at: now, now, projectId, updates, pages }
    await recordChange(tx, { kind: 'wiki.changed', ...change })
  })
}

/** Makes a pushed branch that of the pages, if the one that should be does not exist. */
async function chooseBranch(
  app: App,
  project: RepositoryRow,
  updates: readonly RefUpdate[],
): Promise<void> {
  const repository = wikiRepositoryOf(app, project)
  const head = await readHead(repository)
  if (head !== undefined && (await findBranch(app.git, repository, head))) return
  const chosen = firstDefaultBranch(updates, head === undefined ? [] : [head])
  if (chosen !== null) await setHead(app.git, repository, chosen)
}

/** Compares the pages before and after a push to the default branch; the first ones of many. */
async function findChangedPages(
  app: App,
  project: RepositoryRow,
  updates: readonly RefUpdate[],
): Promise<WikiPageChange[]> {
  const wiki = await openWiki(app, project)
  const update = updates.find(({ ref }) => ref === `refs/heads/${wiki.branch}`)
  const after = update?.after
  if (update === undefined || after == null) return []
  try {
    const filesOf = (commit: string | null) =>
      commit === null ? none : readWikiFiles(app, wiki, commit)
    const [old, current] = [await filesOf(update.before), await filesOf(after)]
    // What a list lacks would be taken for deleted.
    if (old.overflow || current.overflow) return []
    const pages = comparePages(old, current, { before: update.before ?? after, after })
    return pages.slice(0, app.config.codeLimits.wiki.maxHookPages)
  } catch (error) {
    if (!isLimit(error)) throw error
    app.log.warn(
      { err: error, projectId: project.id },
      'the changed pages of a push were not found',
    )
    return []
  }
}

const none: WikiFiles = { pages: [], bytes: 0, overflow: false }

function comparePages(
  old: WikiFiles,
  current: WikiFiles,
  { before, after }: { before: string; after: string },
): WikiPageChange[] {
  const oids = new Map(old.pages.map(({ path, oid }) => [path, oid]))
  const paths = new Set(current.pages.map(({ path }) => path))
  const written = current.pages.flatMap(({ path, oid }): WikiPageChange[] => {
    const known = oids.get(path)
    if (known === oid) return []
    const action = known === undefined ? 'create' : 'update'
    return [{ action, path, commit: after, changedBy: after }]
  })
  const deleted = old.pages
    .filter(({ path }) => !paths.has(path))
    .map(
      ({ path }): WikiPageChange => ({ action: 'delete', path, commit: before, changedBy: after }),
    )
  return [...written, ...deleted]
}
