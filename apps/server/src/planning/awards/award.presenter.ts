import type { Award, AwardableType, AwardCount, UserRef } from '@stithy/core'
import type { AwardCountRow, AwardRow } from '@stithy/store'
import { timestampText } from '../../platform/http/timestamp.ts'
import { findEmoji } from '../../platform/text/emoji/emoji.ts'

const typeNames = {
  issue: 'Issue',
  merge_request: 'MergeRequest',
  snippet: 'Snippet',
  note: 'Note',
  epic: 'Epic',
} as const satisfies Record<AwardableType, Award['awardable_type']>

/** Presents awards; `users` holds everyone who gave one. */
export function presentAwards(
  rows: readonly AwardRow[],
  users: ReadonlyMap<number, UserRef>,
): Award[] {
  return rows.flatMap((row) => {
    const user = users.get(row.userId)
    return user === undefined ? [] : [presentAward(row, user)]
  })
}

function presentAward(row: AwardRow, user: UserRef): Award {
  return {
    id: row.id,
    name: row.name,
    user,
    created_at: timestampText(row.createdAt),
    updated_at: timestampText(row.updatedAt),
    awardable_id: row.targetId,
    awardable_type: typeNames[row.targetType],
  }
}

export function presentAwardCounts(rows: readonly AwardCountRow[]): AwardCount[] {
  return rows.map(({ targetType, targetId, name, count, ownId }) => ({
    awardable_id: targetId,
    awardable_type: typeNames[targetType],
    name,
    unicode: findEmoji(name)?.glyph ?? `:${name}:`,
    count,
    award_id: ownId,
  }))
}
