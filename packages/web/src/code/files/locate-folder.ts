import type { PageCall } from '../../platform/pages/page-call.ts'
import { missing } from '../../platform/pages/refusal.ts'
import { type CodeTarget, locate } from '../revisions/code-target.ts'

/** The folder of an address, or the root; a repository without commits has its future branch. */
export async function locateFolder(call: PageCall): Promise<CodeTarget> {
  const { client, params } = call
  const projectId = params.project ?? ''
  const { ref, path } = await locate(call, params.target ?? '', async (target) => {
    const list = { projectId, path: target.path, per_page: 1 }
    const { total } = await client.repository.tree({ ...list, ref: target.ref })
    if (total === 0 && target.path !== '') throw missing()
  })
  return { ref, path }
}
