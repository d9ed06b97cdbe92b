import { randomUUID } from 'node:crypto'
import { findReadme, firstDefaultBranch, parseRef, type RefUpdate } from '@stithy/core'
import { findBranch, listRefs, listTree, setHead } from '@stithy/git'
import {
  closePushJournal,
  deleteReleases,
  findRepository,
  type RepositoryRow,
  recordEvents,
  savePushedProject,
  toFlag,
  touchActivity,
} from '@stithy/store'
import type { App } from '../app.ts'
import { dayOf } from '../members/day.ts'
import { protectDefaultBranch } from '../protected-branches/default-protection.service.ts'
import { enqueueRefresh } from '../repositories/repository.jobs.ts'
import { headOf, repositoryOf } from '../repositories/repository.service.ts'
import { noteForUpkeep } from '../upkeep/upkeep.service.ts'
import { describeUpdates } from './push-data.ts'
import { enqueuePushEffects } from './push-effects.ts'

/** Refs that have moved, and who moved them. */
export interface Push {
  projectId: number
  userId: number
  updates: readonly RefUpdate[]
  /** What came with it by `git push -o` (catalogue: repository, 14); none of the API's calls has any. */
  options?: readonly string[]
  /** The note of the push (push-journal.ts), which is removed with it. */
  journalId?: number
}

const queues = new Map<number, Promise<void>>()

/**
 * Records refs that have moved, with everything that follows from it (catalogue: repository, 14): an event
 * for each ref, the default branch of an empty project, what is shown of the project, and the jobs that
 * look at the new commits. To be called once git is done, and before the pusher is told so.
 */
export async function recordPush(app: App, push: Push): Promise<void> {
  // One after the other within a project: two first pushes must agree on the default branch.
  const before = queues.get(push.projectId) ?? Promise.resolve()
  const work = before.then(() => record(app, push))
  const settled = work.catch(() => {})
  queues.set(push.projectId, settled)
  try {
    await work
  } finally {
    if (queues.get(push.projectId) === settled) queues.delete(push.projectId)
  }
}

async function record(app: App, push: Push): Promise<void> {
  const project = await findRepository(app.db, push.projectId)
  if (project === undefined || push.updates.length === 0) return
  const defaultBranch = await chooseDefaultBranch(app, project, push.updates)
  const place = { ...project, defaultBranch: defaultBranch ?? project.defaultBranch }
  const state = await readState(app, place)
  const data = await describeUpdates(app, place, push.updates)
  const { projectId, userId, updates, options = [], journalId } = push
  const now = app.now()
  const head = (await headOf(app, place)) ?? null
  const { defaultBranch: main } = place
  const told = { projectId, userId, updates, options, pushedAt: now }
  const effects = { ...told, key: randomUUID(), defaultBranch: main, head }
  await app.db.transaction(async (tx) => {
    if (journalId !== undefined && !(await closePushJournal(tx, journalId))) return
    await deleteReleases(tx, { projectId, tags: removedTags(push.updates) })
    await savePushedProject(tx, { projectId, defaultBranch, ...state, now })
    const isFirst = defaultBranch !== null || project.emptyRepo === 1
    if (isFirst && main !== null && head !== null) {
      await protectDefaultBranch(tx, { projectId, name: main, now })
    }
    await touchActivity(tx, userId, dayOf(now))
    await enqueueRefresh(tx, projectId, now)
    await noteForUpkeep(tx, projectId, now)
    await enqueuePushEffects(tx, effects)
    const events = data.map((pushed) => ({ projectId, authorId: userId, push: pushed }))
    await recordEvents(
      tx,
      events.map((event) => ({ ...event, action: 'pushed', createdAt: now })),
    )
    tx.onCommit(app.wakeWorker)
  })
}

/** Tags that are gone: their releases go with them (catalogue: repository, 7). */
function removedTags(updates: readonly RefUpdate[]): string[] {
  return updates.flatMap(({ ref, after }) => {
    const named = after === null ? parseRef(ref) : undefined
    return named?.type === 'tag' ? [named.name] : []
  })
}

/** Gives a project without a born default branch one, in git too; null where nothing changes. */
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

async function readState(app: App, place: RepositoryRow) {
  const repository = repositoryOf(app, place)
  const heads = await listRefs(app.git, repository, 'heads')
  const head = heads.find(({ name }) => name === place.defaultBranch)
  const entries = head && (await listTree(app.git, repository, { commit: head.oid }))
  const files = entries?.filter(({ type }) => type === 'blob').map(({ name }) => name)
  return { emptyRepo: toFlag(heads.length === 0), readmePath: findReadme(files ?? []) }
}
