import { rawDiffAddress, sendRawDiff } from '../../../code/diffs/raw-diff.ts'
import type { PageCall } from '../../../platform/pages/page-call.ts'
import type { Reply } from '../../../platform/pages/reply.ts'

/** `GET /<project>/-/merge_requests/<iid>.diff` and `.patch`; undefined for the address of the page. */
export function sendRequestDiff(call: PageCall): Promise<Reply> | undefined {
  const { client, params } = call
  const raw = rawDiffAddress(params.iid ?? '', /^[1-9]\d{0,9}$/)
  if (raw === undefined) return undefined
  const { name, format } = raw
  const request = { projectId: params.project ?? '', mergeRequestIid: Number(name), format }
  return sendRawDiff(call, (options) => client.mergeRequests.rawDiffs(request, options))
}
