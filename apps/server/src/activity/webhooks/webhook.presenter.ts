import {
  type GroupHook,
  type HookEvent,
  type ProjectHook,
  type SystemHook,
  type SystemHookTrigger,
  systemHookTriggers,
  type WebhookTrigger,
  webhookEvents,
  webhookTriggers,
} from '@stithy/core'
import { fromJsonText, type LoggedDelivery, switchColumns, type WebhookRow } from '@stithy/store'
import { timestampText } from '../../platform/http/timestamp.ts'

/** Presents a hook of a project, without its token. */
export function presentProjectHook(row: WebhookRow): ProjectHook {
  return { ...identityOf(row), project_id: row.projectId ?? 0, ...settingsOf(row) }
}

/** Presents a hook of a group, without its token. */
export function presentGroupHook(row: WebhookRow): GroupHook {
  return { ...identityOf(row), group_id: row.groupId ?? 0, ...settingsOf(row) }
}

/** Presents a hook of the instance, without its token. */
export function presentSystemHook(row: WebhookRow): SystemHook {
  return {
    ...identityOf(row),
    ...switchesOf(row, systemHookTriggers),
    enable_ssl_verification: row.enableSslVerification === 1,
  }
}

function identityOf({ id, url, createdAt }: WebhookRow) {
  return { id, url, created_at: timestampText(createdAt) }
}

function settingsOf(row: WebhookRow) {
  return {
    ...switchesOf(row, webhookTriggers),
    push_events_branch_filter: row.pushEventsBranchFilter,
    enable_ssl_verification: row.enableSslVerification === 1,
  }
}

function switchesOf<T extends WebhookTrigger | SystemHookTrigger>(
  row: WebhookRow,
  triggers: readonly T[],
): Record<T, boolean> {
  const switches = triggers.map((name) => [name, row[switchColumns[name]] === 1])
  return Object.fromEntries(switches) as Record<T, boolean>
}

/** Presents a delivery of the log. */
export function presentHookEvent(row: LoggedDelivery): HookEvent {
  return {
    id: row.id,
    trigger: triggerOf(row.event),
    url: row.url ?? '',
    request_headers: headersOf(row.requestHeaders),
    request_data: row.payload === null ? null : fromJsonText(row.payload),
    response_status: row.responseStatus,
    response_headers: headersOf(row.responseHeaders),
    response_body: row.responseBody,
    error: row.error,
    execution_duration: (row.duration ?? 0) / 1000,
    created_at: timestampText(row.createdAt),
  }
}

function headersOf(text: string | null): Record<string, string> {
  return text === null ? {} : fromJsonText(text)
}

/** Events of system hooks without a setting go by their own name. */
function triggerOf(event: string): string {
  if (event === 'repository_update') return 'repository_update_events'
  return event in webhookEvents ? webhookEvents[event as keyof typeof webhookEvents].switch : event
}
