import type { IncomingHttpHeaders } from 'node:http'
import {
  DomainError,
  isBranchFilter,
  isHookToken,
  isHookUrl,
  maxProjectHooks,
  validationFailed,
  type WebhookTrigger,
  webhookTriggers,
} from '@stithy/core'
import {
  countWebhooks,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  type Queries,
  switchColumns,
  type Transaction,
  toFlag,
  updateWebhook,
  type WebhookRow,
  type WebhookValues,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { changeByCaller } from '../../platform/changes/change-by-caller.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { requireUnmodified } from '../../platform/http/if-unmodified.ts'
import { isBlockedHost } from '../../platform/outbound/address.ts'

/** Settings of a hook; missing ones keep their value, or get the default of a new hook. */
export interface HookInput extends Partial<Record<WebhookTrigger, boolean | undefined>> {
  url: string
  push_events_branch_filter?: string | undefined
  enable_ssl_verification?: boolean | undefined
  token?: string | undefined
}

/** @throws DomainError `not_found`. */
export async function requireHook(q: Queries, projectId: number, id: number): Promise<WebhookRow> {
  const hook = await findWebhook(q, { projectId, id })
  if (hook === undefined) throw new DomainError('not_found')
  return hook
}

/** @throws DomainError `unprocessable`, `validation_failed`. */
export async function addHook(app: App, projectId: number, input: HookInput): Promise<WebhookRow> {
  checkHook(app, input)
  return app.db.transaction(async (tx) => {
    if ((await countWebhooks(tx, projectId)) >= maxProjectHooks) {
      const text = `Maximum number of project hooks (${maxProjectHooks}) exceeded`
      throw validationFailed({ base: [text] })
    }
    const values = { ...valuesOf(input, undefined), projectId, now: app.now() }
    const hook = await insertWebhook(tx, values)
    await record(tx, hook, 'add', app.now())
    return hook
  })
}

/** @throws DomainError `not_found`, `unprocessable`, `validation_failed`. */
export async function changeHook(
  app: App,
  projectId: number,
  id: number,
  input: HookInput,
): Promise<WebhookRow> {
  return app.db.transaction(async (tx) => {
    const hook = await requireHook(tx, projectId, id)
    checkHook(app, input)
    const values = valuesOf(input, hook)
    const changed = await updateWebhook(tx, { ...values, projectId, id, now: app.now() })
    if (changed === undefined) throw new DomainError('not_found')
    await record(tx, changed, 'change', app.now())
    return changed
  })
}

/** @throws DomainError `not_found`, `precondition_failed`. */
export async function removeHook(
  app: App,
  projectId: number,
  id: number,
  headers: IncomingHttpHeaders,
): Promise<void> {
  await app.db.transaction(async (tx) => {
    const hook = await requireHook(tx, projectId, id)
    requireUnmodified(headers, hook.updatedAt)
    await deleteWebhook(tx, { projectId, id })
    await record(tx, hook, 'remove', app.now())
  })
}

function record(
  tx: Transaction,
  { id: webhookId, projectId, url }: WebhookRow,
  action: 'add' | 'change' | 'remove',
  now: number,
): Promise<void> {
  const { host } = new URL(url)
  const changed = { projectId, webhookId, host, action }
  return recordChange(tx, { kind: 'webhook.changed', ...changeByCaller(now), ...changed })
}

function checkHook(app: App, { url, push_events_branch_filter, token }: HookInput): void {
  if (!isHookUrl(url) || isBlockedHost(app, new URL(url).hostname)) {
    throw new DomainError('unprocessable', { error: 'Invalid url given' })
  }
  if (push_events_branch_filter && !isBranchFilter(push_events_branch_filter)) {
    throw new DomainError('unprocessable', { error: 'Invalid branch filter given' })
  }
  if (token && !isHookToken(token)) throw validationFailed({ token: ['is invalid'] })
}

/** A new hook subscribes to pushes only. */
function valuesOf(input: HookInput, before: WebhookRow | undefined): WebhookValues {
  const switches = Object.fromEntries(
    webhookTriggers.map((name) => {
      const column = switchColumns[name]
      const given = input[name] ?? (before && before[column] === 1) ?? name === 'push_events'
      return [column, toFlag(given)]
    }),
  ) as Pick<WebhookValues, (typeof switchColumns)[WebhookTrigger]>
  const { token, push_events_branch_filter: filter, enable_ssl_verification: verifies } = input
  return {
    ...switches,
    url: input.url,
    token: (token ?? before?.token) || null,
    pushEventsBranchFilter: (filter ?? before?.pushEventsBranchFilter) || null,
    enableSslVerification:
      verifies === undefined ? (before?.enableSslVerification ?? 1) : toFlag(verifies),
  }
}
