import { type ProjectHook, type WebhookSwitch, webhookSwitches } from '@stithy/core'
import { switchColumns, type WebhookRow } from '@stithy/store'
import { instantText } from '../http/instant.ts'

/** Hooks as they go over the wire, without their tokens. */
export function presentHooks(rows: readonly WebhookRow[]): ProjectHook[] {
  return rows.map(presentHook)
}

/** One hook; see `presentHooks`. */
export function presentHook(row: WebhookRow): ProjectHook {
  const switches = Object.fromEntries(
    webhookSwitches.map((name) => [name, row[switchColumns[name]] === 1]),
  ) as Record<WebhookSwitch, boolean>
  return {
    id: row.id,
    url: row.url,
    created_at: instantText(row.createdAt),
    project_id: row.projectId,
    ...switches,
    push_events_branch_filter: row.pushEventsBranchFilter,
    enable_ssl_verification: row.enableSslVerification === 1,
  }
}
