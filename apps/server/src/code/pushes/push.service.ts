import { randomUUID } from 'node:crypto'
import { findReadme, firstDefaultBranch, type RefUpdate } from '@stithy/core'
import { findBranch, listRefs, listTree, setHead } from '@stithy/git'
import {
  closePushJournal,
  findRepository,
  type RepositoryRow,
  savePushedProject,
  toFlag,
} from '@stithy/store'
import { Mutex } from 'async-mutex'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { headOf } from '../revisions/revision.service.ts'
import { buildPushData } from './push-data.ts'

/** Refs that have moved, and who moved them. */
export interface Push {
  projectId: number
  userId: number
  updates: readonly RefUpdate[]
  /** Push options (`git push -o`); API calls have none. */
  options?: readonly string[]
  /** The job of the push (push-journal.ts), which is deleted with the recording. */
  journalId?: number
}

/** One at a time per project. */
const mutexes = new Map<number, Mutex>()

/**
 * Records refs that have moved, with all effects: an event for each ref, the default branch of an
 * empty project, the project's activity and statistics, and the jobs that read the new commits.
 * Call it once git has finished, and before the client gets its response.
 */
export async function recordPush(app: App, push: Push): Promise<void> {
  // One after the other within a project: two first pushes must agree on the default branch.
  const mutex = mutexes.get(push.projectId) ?? new Mutex()
  mutexes.set(push.projectId, mutex)
  try {
    await mutex.runExclusive(() => record(app, push))
  } finally {
    const isLast = !mutex.isLocked() && mutexes.get(push.projectId) === mutex
    if (isLast) mutexes.delete(push.projectId)
  }
}

async function record(app: App, push: Push): Promise<void> {
  const project = await findRepository(app.db, push.projectId)
  if (project === undefined || push.updates.length === 0) return
  const defaultBranch = await chooseDefaultBranch(app, project, push.updates)
  const updated = { ...project, defaultBranch: defaultBranch ?? project.defaultBranch }
  const state = await readState(app, updated)
  const data = await buildPushData(app, updated, push.updates)
  const { projectId, userId, updates, options = [], journalId } = push
  const now = app.now()
  const head = (await headOf(app, updated)) ?? null
  const { defaultBranch: main } = updated
  const isFirst = defaultBranch !== null || project.emptyRepo === 1
  const moved = { projectId, userId, updates, options, pushedAt: now }
  const recorded = { ...moved, key: randomUUID(), defaultBranch: main, head }
  await app.db.transaction(async (tx) => {
    if (journalId !== undefined && !(await closePushJournal(tx, journalId))) return
    await savePushedProject(tx, { projectId, defaultBranch, ...state, now })
    const by = { userId, at: now, now }
    await recordChange(tx, { kind: 'refs.moved', ...by, push: recorded, data, isFirst })
  })
}

/**
 * Sets the default branch of a project whose default branch does not exist, in git too; null if
 * nothing changes.
 */
async function chooseDefaultBranch(
  app: App,
  project: RepositoryRow,
  updates: readonly RefUpdate[],
): Promise<string | null> {
  const repository = repositoryOf(app, project)
  const { defaultBranch } = project
  const born = defaultBranch && (await findBranch(app.git, repository, defaultBranch))
  const preferred = [defaultBranch ?? [], app.config.defaultBranch].flat()
  const chosen = born ? null : firstDefaultBranch(updates, preferred)
  if (chosen !== null) await setHead(app.git, repository, chosen)
  return chosen
}

async function readState(app: App, updated: RepositoryRow) {
  const repository = repositoryOf(app, updated)
  const heads = await listRefs(app.git, repository, 'heads')
  const head = heads.find(({ name }) => name === updated.defaultBranch)
  const entries = head && (await listTree(app.git, repository, { commit: head.oid }))
  const files = entries?.filter(({ type }) => type === 'blob').map(({ name }) => name)
  return { emptyRepo: toFlag(heads.length === 0), readmePath: findReadme(files ?? []) }
}
