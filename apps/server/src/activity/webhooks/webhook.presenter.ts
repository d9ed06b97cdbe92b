import { type ProjectHook, type WebhookTrigger, webhookTriggers } from '@stithy/core'
import { switchColumns, type WebhookRow } from '@stithy/store'
import { timestampText } from '../../platform/http/timestamp.ts'

/** Presents hooks, without their tokens. */
export function presentHooks(rows: readonly WebhookRow[]): ProjectHook[] {
  return rows.map(presentHook)
}

/** Presents one hook; see `presentHooks`. */
export function presentHook(row: WebhookRow): ProjectHook {
  const switches = Object.fromEntries(
    webhookTriggers.map((name) => [name, row[switchColumns[name]] === 1]),
  ) as Record<WebhookTrigger, boolean>
  return {
    id: row.id,
    url: row.url,
    created_at: timestampText(row.createdAt),
    project_id: row.projectId,
    ...switches,
    push_events_branch_filter: row.pushEventsBranchFilter,
    enable_ssl_verification: row.enableSslVerification === 1,
  }
}
