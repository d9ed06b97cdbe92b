import { ifPermitted } from '../../../platform/pages/if-permitted.ts'
import type { PageCall } from '../../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../../platform/pages/reply.ts'
import { withQuery } from '../../../platform/text/addresses.ts'
import { requestAddress } from '../merge-request-address.ts'
import { requestKey, requestParams } from '../request-call.ts'

/**
 * Leads from the address of a comment on a line, `?note_id=1`, to the file that has it; from that of
 * another comment, and of none, to the overview. Undefined for other addresses.
 */
export async function findThreadFile(call: PageCall): Promise<Reply | undefined> {
  const id = call.query.get('note_id') ?? ''
  if (!/^\d{1,15}$/.test(id) || call.query.has('path')) return undefined
  const { client } = call
  const note = await ifPermitted(
    client.mergeRequests.notes.show({ ...requestParams(call), noteId: Number(id) }),
  )
  const path = note?.position?.new_path
  const key = requestKey(call)
  const address = requestAddress(key, ...(path === undefined ? [] : ['diffs']))
  const values = path === undefined ? { note_id: id } : { path, note_id: undefined }
  return redirect(`${withQuery(address, values, call.query)}#note_${id}`)
}
