import type { instanceStatisticsContract } from '@stithy/core'
import { countInstance } from '@stithy/store'
import type { Handlers } from '../../platform/http/call.ts'
import { presentInstanceStatistics } from './instance-statistics.presenter.ts'

export const instanceStatisticsHandlers: Handlers<typeof instanceStatisticsContract> = {
  async show({ app }) {
    return presentInstanceStatistics(await countInstance(app.db))
  },
}
