import type { PageCall } from '../../platform/pages/page-call.ts'
import { missing } from '../../platform/pages/refusal.ts'
import { forward, type Reply } from '../../platform/pages/reply.ts'
import { locate } from '../revisions/code-target.ts'
import { pictureType } from './media-types.ts'

/** `GET /<project>/-/raw/<ref>/<path>`: the bytes of a file. Pictures can be shown, in a sandbox. */
export async function sendRaw(call: PageCall): Promise<Reply> {
  const { client, content, params } = call
  const projectId = params.project ?? ''
  const { path, found } = await locate(call, params.target ?? '', async (target) => {
    if (target.path === '') throw missing()
    const file = { projectId, filePath: target.path, ref: target.ref }
    return client.repository.files.raw(file, { content })
  })
  return forward(found, pictureType(path))
}
