import type { LabelEvent, LabelledType, UserRef } from '@stithy/core'
import type { LabelEventRow } from '@stithy/store'
import { timestampText } from '../../platform/http/timestamp.ts'

/** `resource_type` by type of target. */
const resourceTypes = {
  issue: 'Issue',
  merge_request: 'MergeRequest',
  epic: 'Epic',
} as const satisfies Record<LabelledType, LabelEvent['resource_type']>

export function presentLabelEvents(
  rows: readonly LabelEventRow[],
  users: ReadonlyMap<number, UserRef>,
): LabelEvent[] {
  return rows.flatMap((row) => {
    const user = users.get(row.userId)
    if (user === undefined) return []
    return [
      {
        id: row.id,
        user,
        created_at: timestampText(row.createdAt),
        resource_type: resourceTypes[row.targetType],
        resource_id: row.targetId,
        label: presentLabel(row),
        action: row.action,
      },
    ]
  })
}

function presentLabel({ label }: LabelEventRow): LabelEvent['label'] {
  if (label === undefined) return null
  const { id, title, color, description } = label
  return { id, name: title, color, description }
}
