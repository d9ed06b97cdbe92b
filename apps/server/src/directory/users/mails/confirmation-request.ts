import { enqueueJob, findEmail } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import type { JobHandler } from '../../../platform/jobs/run-job.ts'
import { requestConfirmation } from '../emails/email-confirmation.service.ts'

const kind = 'users.request_confirmation'

/**
 * Requests another mail that confirms an address. Whether a user has it is looked up by a job, so
 * neither the response nor its time says.
 */
export async function requestConfirmationAgain(app: App, address: string): Promise<void> {
  const job = { queue: 'users', kind, payload: { address } }
  await app.db.transaction((tx) => enqueueJob(tx, job, app.now()))
}

/** Enqueues the mail, if the address is still to be confirmed. */
export const requestConfirmationJob: JobHandler = {
  kind,
  async run(app, payload) {
    const { address } = payload as { address: string }
    await app.db.transaction(async (tx) => {
      const row = await findEmail(tx, address)
      if (row === undefined || row.tokenHash === null || row.confirmedAt !== null) return
      await requestConfirmation(tx, row, { by: null, now: app.now() })
    })
  },
}
