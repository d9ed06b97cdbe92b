import type { Starrer, starrersContract } from '@stithy/core'
import { listStarrers, type StarrerRow } from '@stithy/store'
import type { Config } from '../../platform/config/config.ts'
import type { Handlers } from '../../platform/http/call.ts'
import { timestampText } from '../../platform/http/timestamp.ts'
import { presentUserRef } from '../users/user.presenter.ts'

export const starrerHandlers: Handlers<typeof starrersContract> = {
  async list({ app, caller, subject, query, page }) {
    const { admin, userId } = caller.facts
    const filter = {
      projectId: subject.row.id,
      starCount: subject.row.starCount,
      search: query.search || undefined,
      viewerId: admin ? null : (userId ?? 0),
    }
    const found = await listStarrers(app.db, filter, page)
    return { ...found, items: found.items.map((row) => presentStarrer(app.config, row)) }
  },
}

function presentStarrer(config: Config, row: StarrerRow): Starrer {
  return { starred_since: timestampText(row.starredAt), user: presentUserRef(config, row) }
}
