import { expectTypeOf } from 'vitest'
import type { GadgetRegistry, gadgetContract } from '../test/testing.ts'
import { type CallInput, type Client, createClient, type Page, type PagePromise } from './index.ts'

interface Gadget {
  id: number
  name: string
  state: 'new' | 'used'
  owner: { username: string } | null
}

declare const client: Client<GadgetRegistry>
const { gadgets, rareWords } = client

// Lists have no required input, and return a page or an async iterable of items.
expectTypeOf(gadgets.list()).toEqualTypeOf<PagePromise<Gadget>>()
expectTypeOf(await gadgets.list()).toEqualTypeOf<Page<Gadget>>()
for await (const gadget of gadgets.list({ page: 2 })) expectTypeOf(gadget).toEqualTypeOf<Gadget>()

type ListInput = CallInput<typeof gadgetContract.list>
expectTypeOf<ListInput['search']>().toEqualTypeOf<string | undefined>()
expectTypeOf<ListInput['iids']>().toEqualTypeOf<number[] | undefined>()
expectTypeOf<ListInput['labels']>().toEqualTypeOf<string | string[] | undefined>()
expectTypeOf<ListInput['states']>().toEqualTypeOf<('new' | 'used')[] | undefined>()
expectTypeOf<ListInput['custom_attributes']>().toEqualTypeOf<Record<string, string> | undefined>()
expectTypeOf<ListInput['order_by']>().toEqualTypeOf<'id' | 'name' | undefined>()
expectTypeOf<ListInput['archived']>().toEqualTypeOf<boolean | undefined>()
expectTypeOf<ListInput['since']>().toEqualTypeOf<string | undefined>()
expectTypeOf<ListInput['per_page']>().toEqualTypeOf<number | undefined>()
// @ts-expect-error: not an allowed value.
gadgets.list({ order_by: 'size' })
// @ts-expect-error: no such parameter.
gadgets.list({ serch: 'x' })

// Endpoints with the same name: the parent in the input selects one, and with it the filters.
expectTypeOf(gadgets.list({ groupId: 'a/b', deep: true })).toEqualTypeOf<PagePromise<Gadget>>()
gadgets.list({ groupId: 1, order_by: 'depth', page: 2 })
declare const parent: { groupId: number } | { search: string }
gadgets.list(parent)
// @ts-expect-error: only the list of a group has this filter.
gadgets.list({ deep: true })
// @ts-expect-error: only the list of a group has this order.
gadgets.list({ order_by: 'depth' })
// @ts-expect-error: only the list without a parent has this filter.
gadgets.list({ groupId: 1, archived: true })
// @ts-expect-error: there is no list for a project.
gadgets.list({ projectId: 1 })
// @ts-expect-error: the gadget is missing.
gadgets.delete({ groupId: 1 })
// @ts-expect-error: legacy endpoints are not in the SDK.
gadgets.delete({ name: 'x' })

// If the responses differ, their type depends on the parent.
expectTypeOf(gadgets.statistics()).resolves.toEqualTypeOf<{ total: number }>()
expectTypeOf(gadgets.statistics({ groupId: 1 })).resolves.toEqualTypeOf<{
  total: number
  deep: number
}>()
// @ts-expect-error: there are no statistics for a project.
gadgets.statistics({ projectId: 1 })

// Path parameters are required, and so is the input that holds them.
expectTypeOf(gadgets.show({ gadgetId: 'a/b' })).toEqualTypeOf<Promise<Gadget>>()
expectTypeOf<Parameters<typeof gadgets.show>[0]>().toEqualTypeOf<{ gadgetId: string | number }>()
// @ts-expect-error: the id is missing.
gadgets.show()
// @ts-expect-error: the id is missing.
gadgets.show({})
// @ts-expect-error: `:id` is named after its resource.
gadgets.show({ id: 1 })

// A path parameter has the type that the contract gives it.
type CreateInput = Parameters<typeof gadgets.create>[0]
expectTypeOf<CreateInput['projectId']>().toEqualTypeOf<number>()
expectTypeOf<CreateInput['name']>().toEqualTypeOf<string>()
expectTypeOf<CreateInput['due_date']>().toEqualTypeOf<string | null | undefined>()
expectTypeOf<CreateInput['parts']>().toEqualTypeOf<{ name: string }[] | undefined>()
// @ts-expect-error: the name is missing.
gadgets.create({ projectId: 1 })

expectTypeOf<Parameters<typeof gadgets.files.create>[0]['file']>().toEqualTypeOf<Blob | ''>()
expectTypeOf(gadgets.delete({ gadgetId: 1 })).toEqualTypeOf<Promise<undefined>>()
const raw = gadgets.files.raw({ gadgetId: 1, filePath: 'x' })
expectTypeOf(raw).toEqualTypeOf<Promise<Response>>()
expectTypeOf(rareWords.listOld()).toEqualTypeOf<Promise<string[]>>()

// The service's own contracts.
const service = createClient({ baseUrl: 'http://localhost' })
expectTypeOf(service.version.show()).resolves.toEqualTypeOf<{ version: string; revision: string }>()
expectTypeOf(service.version.show).toBeCallableWith(undefined, { signal: AbortSignal.timeout(1) })

service.issues.list()
service.issues.list({ scope: 'all' })
service.issues.list({ groupId: 'group', labels: ['a'] })
service.issues.list({ projectId: 'group/app', iids: [1] })
// @ts-expect-error: an issue has one parent.
service.issues.list({ groupId: 1, projectId: 2 })
// @ts-expect-error: the list of a project has no such filter.
service.issues.list({ projectId: 1, non_archived: true })
service.issues.notes.create({ projectId: 1, issueIid: 2, body: 'x' })
// @ts-expect-error: the project is missing.
service.issues.notes.create({ issueIid: 2, body: 'x' })
// @ts-expect-error: the project is missing.
service.issues.show({ issueIid: 2 })
service.labels.create({ projectId: 1, name: 'a', color: '#fff', priority: 1 })
service.labels.create({ groupId: 1, name: 'a', color: '#fff' })
// @ts-expect-error: labels of groups have no priority.
service.labels.create({ groupId: 1, name: 'a', color: '#fff', priority: 1 })
// @ts-expect-error: the parent is missing.
service.labels.create({ name: 'a', color: '#fff' })
// @ts-expect-error: legacy endpoints are not in the SDK.
service.labels.update({ projectId: 1, name: 'a', new_name: 'b' })
for await (const label of service.labels.list({ projectId: 1 })) {
  expectTypeOf(label).toHaveProperty('priority')
}
for await (const label of service.labels.list({ groupId: 1 })) {
  expectTypeOf(label).not.toHaveProperty('priority')
}
service.members.list({ projectId: 1 })
// @ts-expect-error: the parent is missing.
service.members.list({ query: 'x' })
// @ts-expect-error: projects have no owner level.
service.members.create({ projectId: 1, user_id: 2, access_level: 60 })
service.boards.lists.update({ groupId: 1, boardId: 2, listId: 3, position: 0 })
service.customAttributes.set({ userId: 1, key: 'a', value: 'b' })
service.projects.create({ name: 'x' })
service.projects.create({ userId: 1, name: 'x' })
service.repository.archive({ projectId: 1, format: 'zip' })
