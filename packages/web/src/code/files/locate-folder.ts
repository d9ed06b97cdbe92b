import { loadProject } from '../../directory/projects/project-place.ts'
import { isMissing } from '../../platform/pages/if-permitted.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { missing } from '../../platform/pages/refusal.ts'
import { type CodeTarget, locate } from '../revisions/code-target.ts'

/**
 * The folder of an address, or the root. In a repository without commits, an address names the branch
 * that the first one makes.
 */
export async function locateFolder(call: PageCall): Promise<CodeTarget> {
  const { client, params } = call
  const projectId = params.project ?? ''
  const address = params.target ?? ''
  try {
    const { ref, path } = await locate(call, address, async (target) => {
      const list = { projectId, path: target.path, per_page: 1 }
      const { total } = await client.repository.tree({ ...list, ref: target.ref })
      if (total === 0 && target.path !== '') throw missing()
    })
    return { ref, path }
  } catch (error) {
    const isFuture = isMissing(error) && (await loadProject(call)).empty_repo === true
    if (!isFuture) throw error
    return { ref: address, path: '' }
  }
}
