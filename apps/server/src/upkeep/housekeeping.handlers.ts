import type { housekeepingContract } from '@stithy/core'
import type { Handlers } from '../http/call.ts'
import { requestUpkeep } from './upkeep.service.ts'

export const housekeepingHandlers: Handlers<typeof housekeepingContract> = {
  async start({ app, subject }) {
    await requestUpkeep(app, subject.row.id)
    return undefined
  },
}
