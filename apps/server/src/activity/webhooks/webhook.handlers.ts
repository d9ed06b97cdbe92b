import type { groupHooksContract, projectHooksContract, systemHooksContract } from '@stithy/core'
import { type HookOwner, listDeliveries, listWebhooks, type WebhookRow } from '@stithy/store'
import type { GroupSubject } from '../../directory/groups/group-subject.ts'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { Call, Handlers } from '../../platform/http/call.ts'
import { onParent } from '../../platform/http/parent-handlers.ts'
import { sendSampleEvent, type TestRequest, testHook } from './samples/hook-test.service.ts'
import {
  presentGroupHook,
  presentHookEvent,
  presentProjectHook,
  presentSystemHook,
} from './webhook.presenter.ts'
import { addHook, changeHook, type HookInput, removeHook, requireHook } from './webhook.service.ts'

/** A call on the hooks of an owner. */
type OnOwner = Pick<Call, 'app'> & { parent: HookOwner }
type OnHook = OnOwner & { params: { hook_id: number } }

/** Handlers of what hooks of projects and groups have in common, but for how they look. */
function hookHandlers<Hook>(present: (row: WebhookRow) => Hook) {
  return {
    async list({ app, parent, page }: OnOwner & Pick<Call, 'page'>) {
      const found = await listWebhooks(app.db, parent, page)
      return { ...found, items: found.items.map(present) }
    },
    show: async ({ app, parent, params }: OnHook) =>
      present(await requireHook(app.db, parent, params.hook_id)),
    create: async ({ app, parent, body }: OnOwner & { body: HookInput }) =>
      present(await addHook(app, parent, body)),
    update: async ({ app, parent, params, body }: OnHook & { body: HookInput }) =>
      present(await changeHook(app, parent, params.hook_id, body)),
    async remove({ app, parent, params, headers }: OnHook & Pick<Call, 'headers'>) {
      await removeHook(app, parent, params.hook_id, headers)
      return undefined
    },
    test: ({ app, parent, ...request }: OnOwner & TestRequest) => testHook(app, parent, request),
    async listEvents({ app, parent, params, page }: OnHook & Pick<Call, 'page'>) {
      const hook = await requireHook(app.db, parent, params.hook_id)
      const found = await listDeliveries(app.db, hook.id, page)
      return { ...found, items: found.items.map(presentHookEvent) }
    },
  }
}

export const projectHooksHandlers: Handlers<typeof projectHooksContract> = onParent(
  hookHandlers(presentProjectHook),
  ({ row }: ProjectSubject): HookOwner => ({ kind: 'project', id: row.id }),
)

export const groupHooksHandlers: Handlers<typeof groupHooksContract> = onParent(
  hookHandlers(presentGroupHook),
  ({ row }: GroupSubject): HookOwner => ({ kind: 'group', id: row.id }),
)

const system: HookOwner = { kind: 'system' }
const ofSystem = hookHandlers(presentSystemHook)

export const systemHooksHandlers: Handlers<typeof systemHooksContract> = {
  list: (call) => ofSystem.list({ ...call, parent: system }),
  create: (call) => ofSystem.create({ ...call, parent: system }),
  show: async ({ app, params }) =>
    sendSampleEvent(app, await requireHook(app.db, system, params.hook_id)),
  sample: async ({ app, params }) =>
    sendSampleEvent(app, await requireHook(app.db, system, params.hook_id)),
  remove: (call) => ofSystem.remove({ ...call, parent: system }),
  test: (call) => ofSystem.test({ ...call, parent: system }),
  listEvents: (call) => ofSystem.listEvents({ ...call, parent: system }),
}
