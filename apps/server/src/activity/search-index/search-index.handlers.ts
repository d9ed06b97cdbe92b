import type { searchIndexContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { readIndexStatus } from './index-status.ts'

export const searchIndexHandlers: Handlers<typeof searchIndexContract> = {
  async show({ app }) {
    const { isOn, repositories, indexed, waiting, lag } = await readIndexStatus(app)
    return {
      enabled: isOn,
      repositories,
      indexed: indexed ?? null,
      waiting,
      lag: Math.floor(lag / 1000),
    }
  },
}
