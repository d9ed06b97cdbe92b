import { requestPushOptions } from '@stithy/core'
import { deleteWaitingJob, enqueueJob, makeJobsDue, type Transaction } from '@stithy/store'
import type { AnsweredPush } from '../../code/git-http/push-messages.ts'
import type { RecordedPush } from '../../code/pushes/push.changes.ts'
import { actingUser } from '../../directory/authentication/acting-user.ts'
import { loadProject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import type { Change } from '../../platform/changes/change.ts'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { applyToBranches } from './pushed-branches.service.ts'

// What the options of a push ask for is done before its client gets the answer, since that tells of
// it; but the push itself is recorded before. The job of that transaction does it after a crash in
// between. It is deleted once everything is done; doing it twice changes nothing.
const kind = 'push-options.apply'

/** Milliseconds after which a push counts as interrupted. */
const leaseMs = 120_000

type Push = Pick<RecordedPush, 'projectId' | 'userId' | 'updates' | 'options'>

function jobOf({ projectId, userId, updates, options }: Push) {
  return { queue: 'pushes', kind, payload: { projectId, userId, updates, options } }
}

/** Enqueues the job of a push whose options ask for merge requests. */
export async function enqueuePushOptions(
  tx: Transaction,
  { push, now }: Change<'refs.moved'>,
): Promise<void> {
  if (requestPushOptions(push.options) === undefined) return
  await enqueueJob(tx, { ...jobOf(push), runAt: now + leaseMs }, now)
}

/** Deletes the job of a push whose options have been applied. */
export async function finishPushOptions(app: App, push: AnsweredPush): Promise<void> {
  if (requestPushOptions(push.options) === undefined) return
  const { project, caller, updates, options } = push
  const userId = caller.user?.id ?? 0
  await deleteWaitingJob(app.db, jobOf({ projectId: project.row.id, userId, updates, options }))
}

/** Applies the options of a push that was interrupted. */
export const applyPushOptionsJob: JobHandler = {
  kind,
  async run(app, payload) {
    const { projectId, userId, updates, options } = payload as Push
    const caller = await actingUser(app, userId)
    const project = caller && (await loadProject(app, String(projectId), caller))
    if (caller === undefined || project === undefined) return
    await applyToBranches(app, { project, caller, updates, options })
  },
}

/** For the start of the only server of a data folder: every waiting job was interrupted. */
export async function reconcilePushOptions(app: App): Promise<void> {
  await makeJobsDue(app.db, kind, app.now())
}
