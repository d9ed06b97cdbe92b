import type { fetchStatisticsContract } from '@stithy/core'
import { listFetches } from '@stithy/store'
import type { Handlers } from '../../platform/http/call.ts'
import { fetchesWritten, firstCountedDay } from './fetch-count.ts'

export const fetchStatisticsHandlers: Handlers<typeof fetchStatisticsContract> = {
  async show({ app, subject }) {
    const projectId = subject.row.id
    await fetchesWritten(app, projectId)
    const from = firstCountedDay(app.now())
    const rows = await listFetches(app.db, { projectId, from })
    const days = rows.map(({ day, count }) => ({ count, date: day }))
    const total = days.reduce((sum, { count }) => sum + count, 0)
    return { fetches: { total, days } }
  },
}
