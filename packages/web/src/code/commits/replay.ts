import type { CommitDetail } from '@stithy/core'
import { submit } from '../../platform/forms/submit.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { commitPage } from './commit-page.ts'

/** `POST /<project>/-/commit/<sha>/cherry_pick`. */
export function cherryPick(call: PageCall): Promise<Reply> {
  return replay(call, call.client.commits.cherryPick)
}

/** `POST /<project>/-/commit/<sha>/revert`. */
export function revert(call: PageCall): Promise<Reply> {
  return replay(call, call.client.commits.revert)
}

async function replay(
  call: PageCall,
  apply: (input: { projectId: string; sha: string; branch: string }) => Promise<CommitDetail>,
): Promise<Reply> {
  const { form, params } = call
  const projectId = params.project ?? ''
  const branch = form.text('branch').trim()
  const id = `${form.text('replay')}-branch`
  const made = await submit(apply({ projectId, sha: params.sha ?? '', branch }), { branch: id })
  if (!made.ok) return commitPage(call, { form, formErrors: made.formErrors })
  return redirect(projectAddress(projectId, 'commit', made.value.id))
}
