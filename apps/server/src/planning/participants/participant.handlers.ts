import type { participantsContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { listParticipants } from '../items/participants.service.ts'

export const participantHandlers: Handlers<typeof participantsContract> = {
  async ofIssue({ app, subject, page }) {
    return listParticipants(app, subject, page)
  },

  async ofMergeRequest({ app, subject, page }) {
    return listParticipants(app, subject, page)
  },
}
