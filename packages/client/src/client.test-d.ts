import type { UploadedFile } from '@stithy/core'
import { expectTypeOf } from 'vitest'
import type { GadgetRegistry } from '../test/testing.ts'
import { type Client, createClient, type Page, type PagePromise } from './index.ts'

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

type ListInput = NonNullable<Parameters<typeof gadgets.list>[0]>
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

// Path parameters are required, and so is the input that holds them.
expectTypeOf(gadgets.show({ id: 'a/b' })).toEqualTypeOf<Promise<Gadget>>()
expectTypeOf<Parameters<typeof gadgets.show>[0]>().toEqualTypeOf<{ id: string | number }>()
// @ts-expect-error: the id is missing.
gadgets.show()
// @ts-expect-error: the id is missing.
gadgets.show({})

// Where the contract types a path parameter, so does the call.
type CreateInput = Parameters<typeof gadgets.create>[0]
expectTypeOf<CreateInput['id']>().toEqualTypeOf<number>()
expectTypeOf<CreateInput['name']>().toEqualTypeOf<string>()
expectTypeOf<CreateInput['due_date']>().toEqualTypeOf<string | null | undefined>()
expectTypeOf<CreateInput['parts']>().toEqualTypeOf<{ name: string }[] | undefined>()
// @ts-expect-error: the name is missing.
gadgets.create({ id: 1 })

expectTypeOf<Parameters<typeof gadgets.upload>[0]['file']>().toEqualTypeOf<UploadedFile | Blob>()
expectTypeOf(gadgets.delete({ id: 1 })).toEqualTypeOf<Promise<undefined>>()
expectTypeOf(gadgets.raw({ id: 1, file_path: 'x' })).toEqualTypeOf<Promise<Response>>()
expectTypeOf(rareWords.listOld()).toEqualTypeOf<Promise<string[]>>()

// The service's own contracts.
const service = createClient({ baseUrl: 'http://localhost' })
expectTypeOf(service.version.show()).resolves.toEqualTypeOf<{ version: string; revision: string }>()
expectTypeOf(service.version.show).toBeCallableWith(undefined, { signal: AbortSignal.timeout(1) })
