import type { housekeepingContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { requestHousekeeping } from './housekeeping.service.ts'

export const housekeepingHandlers: Handlers<typeof housekeepingContract> = {
  async start({ app, subject }) {
    await requestHousekeeping(app, subject.row.id)
    return undefined
  },
}
