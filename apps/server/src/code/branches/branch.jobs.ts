import { DomainError, type RefUpdate } from '@stithy/core'
import { findMerged, listRefs, type Ref } from '@stithy/git'
import type { Queries } from '@stithy/store'
import { z } from 'zod'
import { actingUser } from '../../directory/authentication/acting-user.ts'
import { loadProject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { loadRefAccess } from '../protected-refs/ref-access.service.ts'
import { changeRefs } from '../pushes/ref-change.service.ts'
import { headOf } from '../revisions/revision.service.ts'
import { type BranchChange, removeMergedKind } from './branch-write.service.ts'

declare module '../../platform/app.ts' {
  interface App {
    /** Names of the source and target branches of a project's open merge requests. One query. */
    branchesInUse: (q: Queries, projectId: number) => Promise<string[]>
  }
}

const Payload = z.object({ projectId: z.int(), userId: z.int() })

/** Branches per batch; a batch fails as a whole if one of them moves. */
const batch = 100

/**
 * Deletes the branches that are merged into the default branch, except that branch, protected ones
 * and source branches of open merge requests. The user who requested it must still be allowed to.
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
  const used = new Set(await app.branchesInUse(app.db, row.id))
  const candidates = (await listRefs(app.git, repository, 'heads')).filter(({ name, oid }) => {
    const stays = name === row.defaultBranch || used.has(name) || rules.branches(name).length > 0
    return oid !== head && !stays
  })
  const merged = await findMerged(app.git, repository, head, candidates)
  return candidates.filter(({ oid }) => merged.has(oid))
}

/** Deletes branches in one batch; if that fails, one by one. */
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
