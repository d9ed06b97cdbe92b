import { randomUUID } from 'node:crypto'
import { firstDefaultBranch, type RefUpdate } from '@stithy/core'
import { findBranch, readHead, setHead } from '@stithy/git'
import {
  closePushJournal,
  type RepositoryRow,
  savePushedProject,
  type VersionedRepositoryRow,
} from '@stithy/store'
import { existingActor } from '../../directory/users/ghost.service.ts'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { alignHead } from '../../platform/repositories/align-head.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { readRepositoryState } from '../../platform/repositories/repository-state.ts'
import { createKeyedMutex } from '../../platform/threads/keyed-mutex.ts'
import { headOf } from '../revisions/revision.service.ts'
import { buildPushData } from './push-data.ts'
import { untilRecorded } from './until-recorded.ts'

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

/** One at a time per project, so that pushes through this process need not be read again. */
const inTurn = createKeyedMutex<number>()

/**
 * Records refs that have moved, with all effects: an event for each ref, the default branch of an
 * empty project, the project's activity and statistics, and the jobs that read the new commits.
 * Call it once git has finished, and before the client gets its response.
 */
export function recordPush(app: App, push: Push): Promise<void> {
  return inTurn(push.projectId, () => record(app, push))
}

async function record(app: App, push: Push): Promise<void> {
  if (push.updates.length === 0) return
  await untilRecorded(app, push.projectId, (project) => tryToRecord(app, push, project))
}

async function tryToRecord(
  app: App,
  push: Push,
  project: VersionedRepositoryRow,
): Promise<boolean> {
  const defaultBranch = await chooseDefaultBranch(app, project, push.updates)
  const updated = { ...project, defaultBranch: defaultBranch ?? project.defaultBranch }
  const state = await readRepositoryState(app, repositoryOf(app, updated), updated.defaultBranch)
  const data = await buildPushData(app, updated, push.updates)
  const { projectId, updates, options = [], journalId } = push
  const now = app.now()
  const head = (await headOf(app, updated)) ?? null
  const { defaultBranch: main } = updated
  const isFirst = defaultBranch !== null || project.emptyRepo === 1
  const moved = { projectId, updates, options, pushedAt: now }
  const recorded = { ...moved, key: randomUUID(), defaultBranch: main, head }
  const { refsVersion } = project
  const isCurrent = await app.db.transaction(async (tx) => {
    const saved = { projectId, defaultBranch, refsVersion, ...state, now }
    if (!(await savePushedProject(tx, saved))) return false
    if (journalId !== undefined && !(await closePushJournal(tx, journalId))) return true
    const userId = await existingActor(tx, push.userId, now)
    const by = { userId, at: now, now }
    const change = { push: { ...recorded, userId }, data, isFirst }
    await recordChange(tx, { kind: 'refs.moved', ...by, ...change })
    return true
  })
  const repository = repositoryOf(app, project)
  if (isCurrent && (await readHead(repository)) !== main)
    await alignHead(app, repository, projectId)
  return isCurrent
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
