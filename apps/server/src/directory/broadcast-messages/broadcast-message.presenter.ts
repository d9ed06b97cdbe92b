import type { BroadcastMessage } from '@stithy/core'
import type { BroadcastMessageRow } from '@stithy/store'

/** Presents a message; it is active from its start until just before its end. */
export function presentBroadcastMessage(row: BroadcastMessageRow, now: number): BroadcastMessage {
  return {
    id: row.id,
    message: row.message,
    starts_at: new Date(row.startsAt).toISOString(),
    ends_at: new Date(row.endsAt).toISOString(),
    color: row.color,
    font: row.font,
    active: row.startsAt <= now && now < row.endsAt,
  }
}
