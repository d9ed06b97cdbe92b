import { deploymentRef } from '@stithy/core'
import { isNotFound, updateRef, zeroOid } from '@stithy/git'
import { findDeployment, findRepository } from '@stithy/store'
import { z } from 'zod'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'

export const publishDeploymentKind = 'deployment.publish'

const Payload = z.object({ id: z.int(), projectId: z.int() })

/** Creates the ref of a successful deployment, which keeps its commit. */
export const publishDeploymentJob: JobHandler = {
  kind: publishDeploymentKind,
  async run(app, payload) {
    const named = Payload.parse(payload)
    const project = await findRepository(app.db, named.projectId)
    const deployment = await findDeployment(app.db, named)
    if (project === undefined || deployment === undefined) return
    const repository = repositoryOf(app, project)
    const ref = deploymentRef(deployment.environmentSlug, deployment.iid)
    try {
      await updateRef(app.git, repository, ref, deployment.sha)
    } catch (error) {
      // The commit was removed meanwhile, as no branch had it any more.
      if (isNotFound(error)) return
      throw error
    }
    // The job that removes the refs of a deleted environment may have been faster.
    const isLeft = (await findDeployment(app.db, named)) === undefined
    if (isLeft) await updateRef(app.git, repository, ref, zeroOid)
  },
}
