import {
  deleteEndedAccessTokens,
  deleteEndedCodes,
  deleteEndedGrants,
  deleteUsedRefreshTokens,
} from '@stithy/store'
import { z } from 'zod'
import type { App } from '../../platform/app.ts'
import { inBatches } from '../../platform/jobs/in-batches.ts'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { removeApplication, removeApplicationKind } from './application.service.ts'

const Payload = z.object({ applicationId: z.int() })

/** Removes what deleted applications were granted. */
export const removeApplicationJob: JobHandler = {
  kind: removeApplicationKind,
  run: async (app, payload) => removeApplication(app, Payload.parse(payload).applicationId),
}

const dayMs = 24 * 60 * 60_000

/**
 * For how long expired codes and tokens are kept, in milliseconds, so that they are answered as
 * expired, and a code that is used again revokes its tokens.
 */
const keepEndedMs = dayMs

/** For how long the reuse of a refresh token is noticed, in milliseconds. */
const keepUsedMs = 30 * dayMs

/** Deletes codes, tokens and grants that have ended; scheduled once a day. */
export const deleteEndedGrantsJob = {
  kind: 'oauth.delete-ended',
  async run(app: App): Promise<void> {
    const ended = app.now() - keepEndedMs
    const used = app.now() - keepUsedMs
    for (const [remove, before] of [
      [deleteEndedAccessTokens, ended],
      [deleteEndedCodes, ended],
      [deleteUsedRefreshTokens, used],
      [deleteEndedGrants, ended],
    ] as const) {
      await inBatches((limit) => app.db.transaction((tx) => remove(tx, { before, limit })))
    }
  },
}
