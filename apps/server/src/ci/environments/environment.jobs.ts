import { deploymentRef } from '@stithy/core'
import { updateRefs, zeroOid } from '@stithy/git'
import { findRepository } from '@stithy/store'
import { z } from 'zod'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'

export const removeDeploymentRefsKind = 'environment.remove-refs'

const RemovedRefs = z.object({ projectId: z.int(), slug: z.string(), iids: z.array(z.int()) })

/** Deleted deployments of one environment. */
export type RemovedRefs = z.output<typeof RemovedRefs>

/** Refs that are removed in one transaction of git: each is a file that is flushed to the disk. */
const batch = 100

/** Removes the refs of deleted deployments. */
export const removeDeploymentRefsJob: JobHandler = {
  kind: removeDeploymentRefsKind,
  async run(app, payload) {
    const { projectId, slug, iids } = RemovedRefs.parse(payload)
    const project = await findRepository(app.db, projectId)
    if (project === undefined) return
    const updates = iids.map((iid) => ({ ref: deploymentRef(slug, iid), newOid: zeroOid }))
    for (let at = 0; at < updates.length; at += batch) {
      await updateRefs(app.git, repositoryOf(app, project), updates.slice(at, at + batch))
    }
  },
}
