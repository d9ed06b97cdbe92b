import type { UploadedFile } from '@stithy/core'
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

// Lists: nothing is required, a page or the items come back.
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
// @ts-expect-error: not one of the words.
gadgets.list({ order_by: 'size' })
// @ts-expect-error: no such parameter.
gadgets.list({ serch: 'x' })

// Endpoints of one name: the parent in the input chooses, and with it the filters.
expectTypeOf(gadgets.list({ groupId: 'a/b', deep: true })).toEqualTypeOf<PagePromise<Gadget>>()
gadgets.list({ groupId: 1, order_by: 'depth', page: 2 })
declare const parent: { groupId: number } | { search: string }
gadgets.list(parent)
// @ts-expect-error: the list of everything has no such filter.
gadgets.list({ deep: true })
// @ts-expect-error: the list of everything has no such order.
gadgets.list({ order_by: 'depth' })
// @ts-expect-error: the list of a group has no such filter.
gadgets.list({ groupId: 1, archived: true })
// @ts-expect-error: no list is of a project.
gadgets.list({ projectId: 1 })
// @ts-expect-error: the gadget is missing.
gadgets.delete({ groupId: 1 })
// @ts-expect-error: no gadget is deleted by its name, which only old clients do.
gadgets.delete({ name: 'x' })

// Where the answers differ, they follow the parent.
expectTypeOf(gadgets.statistics()).resolves.toEqualTypeOf<{ total: number }>()
expectTypeOf(gadgets.statistics({ groupId: 1 })).resolves.toEqualTypeOf<{
  total: number
  deep: number
}>()
// @ts-expect-error: nothing else has statistics.
gadgets.statistics({ projectId: 1 })

// Path parameters are required, and so is the input that holds them.
expectTypeOf(gadgets.show({ gadgetId: 'a/b' })).toEqualTypeOf<Promise<Gadget>>()
expectTypeOf<Parameters<typeof gadgets.show>[0]>().toEqualTypeOf<{ gadgetId: string | number }>()
// @ts-expect-error: the id is missing.
gadgets.show()
// @ts-expect-error: the id is missing.
gadgets.show({})
// @ts-expect-error: `:id` has the name of what it is the id of.
gadgets.show({ id: 1 })

// Where the contract types a path parameter, so does the call.
type CreateInput = Parameters<typeof gadgets.create>[0]
expectTypeOf<CreateInput['projectId']>().toEqualTypeOf<number>()
expectTypeOf<CreateInput['name']>().toEqualTypeOf<string>()
expectTypeOf<CreateInput['due_date']>().toEqualTypeOf<string | null | undefined>()
expectTypeOf<CreateInput['parts']>().toEqualTypeOf<{ name: string }[] | undefined>()
// @ts-expect-error: the name is missing.
gadgets.create({ projectId: 1 })

expectTypeOf<Parameters<typeof gadgets.files.create>[0]['file']>().toEqualTypeOf<
  UploadedFile | Blob
>()
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
// @ts-expect-error: the list of a project never leaves out archived projects.
service.issues.list({ projectId: 1, non_archived: true })
service.issues.notes.create({ projectId: 1, issueIid: 2, body: 'x' })
// @ts-expect-error: an issue is found by its project.
service.issues.notes.create({ issueIid: 2, body: 'x' })
// @ts-expect-error: an issue is found by its project.
service.issues.show({ issueIid: 2 })
service.labels.create({ projectId: 1, name: 'a', color: '#fff', priority: 1 })
service.labels.create({ groupId: 1, name: 'a', color: '#fff' })
// @ts-expect-error: labels of groups have no priority.
service.labels.create({ groupId: 1, name: 'a', color: '#fff', priority: 1 })
// @ts-expect-error: a label belongs to a project or to a group.
service.labels.create({ name: 'a', color: '#fff' })
// @ts-expect-error: by its name a label is updated by old clients only.
service.labels.update({ projectId: 1, name: 'a', new_name: 'b' })
for await (const label of service.labels.list({ projectId: 1 })) {
  expectTypeOf(label).toHaveProperty('priority')
}
for await (const label of service.labels.list({ groupId: 1 })) {
  expectTypeOf(label).not.toHaveProperty('priority')
}
service.members.list({ projectId: 1 })
// @ts-expect-error: members are those of a project or of a group.
service.members.list({ query: 'x' })
// @ts-expect-error: nobody owns a single project.
service.members.create({ projectId: 1, user_id: 2, access_level: 60 })
service.boards.lists.update({ groupId: 1, boardId: 2, listId: 3, position: 0 })
service.customAttributes.set({ userId: 1, key: 'a', value: 'b' })
service.projects.create({ name: 'x' })
service.projects.create({ userId: 1, name: 'x' })
service.repository.archive({ projectId: 1, format: 'zip' })
