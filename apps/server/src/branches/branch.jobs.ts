import { DomainError, type RefUpdate } from '@stithy/core'
import { findMerged, listRefs, type Ref } from '@stithy/git'
import { listBranchesInUse } from '@stithy/store'
import { z } from 'zod'
import type { App } from '../app.ts'
import { actingUser } from '../authentication/acting-user.ts'
import type { JobHandler } from '../jobs/worker.ts'
import { loadProject } from '../projects/project-subject.ts'
import { loadRefAccess } from '../pushes/ref-access.service.ts'
import { changeRefs } from '../pushes/ref-change.service.ts'
import { headOf, repositoryOf } from '../repositories/repository.service.ts'
import { type BranchChange, removeMergedKind } from './branch-write.service.ts'

const Payload = z.object({ projectId: z.int(), userId: z.int() })

/** Branches that go at once; a whole batch fails where one of them moves. */
const batch = 100

/**
 * Deletes the branches that are merged into the default branch, but for that one, protected ones and
 * those of open merge requests (catalogue: repository, 5). Whoever asked for it must still be allowed to.
 */
export const removeMergedJob: JobHandler = {
  kind: removeMergedKind,
  async run(app, payload, signal) {
    const { projectId, userId } = Payload.parse(payload)
    const change = await loadChange(app, projectId, userId)
    if (change === undefined) return
    const updates = (await findRemovable(app, change)).map(({ name, oid }): RefUpdate => {
      return { ref: `refs/heads/${name}`, before: oid, after: null }
    })
    for (let at = 0; at < updates.length; at += batch) {
      signal.throwIfAborted()
      await removeAll(app, change, updates.slice(at, at + batch))
    }
  },
}

async function loadChange(
  app: App,
  projectId: number,
  userId: number,
): Promise<BranchChange | undefined> {
  const caller = await actingUser(app, userId)
  const subject = caller && (await loadProject(app, String(projectId), caller))
  return caller && subject && { subject, caller }
}

async function findRemovable(app: App, change: BranchChange): Promise<Ref[]> {
  const { row } = change.subject
  const repository = repositoryOf(app, row)
  const head = await headOf(app, row)
  if (head === undefined) return []
  const { rules, actor } = await loadRefAccess(app, change)
  if (!actor.mayPush) return []
  const used = new Set(await listBranchesInUse(app.db, row.id))
  const candidates = (await listRefs(app.git, repository, 'heads')).filter(({ name, oid }) => {
    const stays = name === row.defaultBranch || used.has(name) || rules.branches(name).length > 0
    return oid !== head && !stays
  })
  const merged = await findMerged(app.git, repository, head, candidates)
  return candidates.filter(({ oid }) => merged.has(oid))
}

/** Where one of them has moved, the others still go. */
async function removeAll(
  app: App,
  change: BranchChange,
  updates: readonly RefUpdate[],
): Promise<void> {
  try {
    await changeRefs(app, { ...change, updates })
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    if (updates.length === 1) return
    for (const update of updates) await removeAll(app, change, [update])
  }
}
