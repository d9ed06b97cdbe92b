import type { IncomingHttpHeaders } from 'node:http'
import {
  DomainError,
  isHookToken,
  isHookUrl,
  isRefPattern,
  maxHooks,
  notFound,
  type SystemHookTrigger,
  systemHookTriggers,
  validationFailed,
  type WebhookTrigger,
  webhookTriggers,
} from '@stithy/core'
import {
  countWebhooks,
  deleteWebhook,
  findWebhook,
  type HookOwner,
  insertWebhook,
  lockProjectOrGroup,
  type Queries,
  removeDeliveriesOf,
  setHookHealth,
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
import { healthy } from './delivery/hook-health.ts'
import { wakeLane } from './delivery/lane.ts'
import { sealHookToken } from './hook-token.ts'

type AnyTrigger = WebhookTrigger | SystemHookTrigger

/** Settings of a hook; missing ones keep their value, or get the default of a new hook. */
export interface HookInput extends Partial<Record<AnyTrigger, boolean | undefined>> {
  url: string
  push_events_branch_filter?: string | undefined
  enable_ssl_verification?: boolean | undefined
  token?: string | undefined
}

/** @throws DomainError `not_found`. */
export async function requireHook(q: Queries, owner: HookOwner, id: number): Promise<WebhookRow> {
  const hook = await findWebhook(q, owner, id)
  if (hook !== undefined) return hook
  throw owner.kind === 'system' ? notFound('System hook') : new DomainError('not_found')
}

/** @throws DomainError `unprocessable`, `validation_failed`. */
export async function addHook(app: App, owner: HookOwner, input: HookInput): Promise<WebhookRow> {
  checkHook(app, owner, input)
  return app.db.transaction(async (tx) => {
    if (owner.kind === 'project') await lockProjectOrGroup(tx, { projectId: owner.id })
    if (owner.kind === 'group') await lockProjectOrGroup(tx, { groupId: owner.id })
    if ((await countWebhooks(tx, owner)) >= maxHooks) {
      const text = `Maximum number of ${owner.kind} hooks (${maxHooks}) exceeded`
      throw validationFailed({ base: [text] })
    }
    const now = app.now()
    const hook = await insertWebhook(tx, owner, { ...valuesOf(app, owner, input), now })
    await record(tx, { owner, hook, action: 'add' }, now)
    return hook
  })
}

/**
 * Updates a hook, and enables it if it was paused or disabled.
 * @throws DomainError `not_found`, `unprocessable`, `validation_failed`.
 */
export async function changeHook(
  app: App,
  owner: HookOwner,
  id: number,
  input: HookInput,
): Promise<WebhookRow> {
  await requireHook(app.db, owner, id)
  checkHook(app, owner, input)
  return app.db.transaction(async (tx) => {
    const now = app.now()
    const hook = await requireHook(tx, owner, id)
    const changed = await updateWebhook(tx, { ...valuesOf(app, owner, input, hook), id, now })
    if (changed === undefined) throw new DomainError('not_found')
    await setHookHealth(tx, { id, ...healthy })
    if (hook.nextDeliveryAt !== null) await wakeLane(app, tx, id)
    await record(tx, { owner, hook: changed, action: 'change' }, now)
    return changed
  })
}

/** Deliveries of one transaction. */
const batch = 500

/** @throws DomainError `not_found`, `precondition_failed`. */
export async function removeHook(
  app: App,
  owner: HookOwner,
  id: number,
  headers: IncomingHttpHeaders,
): Promise<void> {
  const hook = await requireHook(app.db, owner, id)
  requireUnmodified(headers, hook.updatedAt)
  const disabled = { id, failures: hook.failures, pausedUntil: null, disabledAt: app.now() }
  await app.db.transaction((tx) => setHookHealth(tx, disabled))
  const limit = batch
  const removeSome = () =>
    app.db.transaction((tx) => removeDeliveriesOf(tx, { webhookId: id, limit }))
  while ((await removeSome()) >= batch);
  await app.db.transaction(async (tx) => {
    // Another request may have deleted it meanwhile.
    if (!(await deleteWebhook(tx, id))) await requireHook(tx, owner, id)
    await record(tx, { owner, hook, action: 'remove' }, app.now())
  })
}

interface HookChange {
  owner: HookOwner
  hook: WebhookRow
  action: 'add' | 'change' | 'remove'
}

function record(tx: Transaction, { owner, hook, action }: HookChange, now: number): Promise<void> {
  const { host } = new URL(hook.url)
  const changed = { owner, webhookId: hook.id, host, action }
  return recordChange(tx, { kind: 'webhook.changed', ...changeByCaller(now), ...changed })
}

function checkHook(app: App, { kind }: HookOwner, input: HookInput): void {
  const { url, push_events_branch_filter: filter, token } = input
  const isAllowed =
    isHookUrl(url) && (kind === 'system' || !isBlockedHost(app, new URL(url).hostname))
  if (!isAllowed) {
    if (kind === 'system') throw validationFailed({ url: ['is invalid'] })
    throw new DomainError('unprocessable', { error: 'Invalid url given' })
  }
  if (filter && !isRefPattern(filter)) {
    throw new DomainError('unprocessable', { error: 'Invalid branch filter given' })
  }
  if (token && !isHookToken(token)) throw validationFailed({ token: ['is invalid'] })
}

/** What a new hook subscribes to. */
const defaults: Readonly<Record<HookOwner['kind'], ReadonlySet<AnyTrigger>>> = {
  project: new Set(['push_events']),
  group: new Set(['push_events']),
  system: new Set(['repository_update_events']),
}

const triggers = [...new Set([...webhookTriggers, ...systemHookTriggers])]

function valuesOf(
  { secrets }: App,
  owner: HookOwner,
  input: HookInput,
  before?: WebhookRow,
): WebhookValues {
  const switches = Object.fromEntries(
    triggers.map((name) => {
      const column = switchColumns[name]
      const given =
        input[name] ?? (before && before[column] === 1) ?? defaults[owner.kind].has(name)
      return [column, toFlag(given)]
    }),
  ) as Pick<WebhookValues, (typeof switchColumns)[AnyTrigger]>
  const { token, push_events_branch_filter: filter, enable_ssl_verification: verifies } = input
  const sealed = token ? sealHookToken(secrets, owner, token) : (token ?? before?.token)
  return {
    ...switches,
    url: input.url,
    token: sealed || null,
    pushEventsBranchFilter: (filter ?? before?.pushEventsBranchFilter) || null,
    enableSslVerification:
      verifies === undefined ? (before?.enableSslVerification ?? 1) : toFlag(verifies),
  }
}
