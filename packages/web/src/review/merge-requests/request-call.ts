import type { PageCall } from '../../platform/pages/page-call.ts'
import { missing } from '../../platform/pages/refusal.ts'
import type { RequestKey } from './merge-request-address.ts'

/** The merge request of a page, by its address. */
export function requestKey({ params }: Pick<PageCall, 'params'>): RequestKey {
  return { project: params.project ?? '', iid: params.iid ?? '' }
}

/** The same as parameters of the API. @throws StithyError 404 for what is no number */
export function requestParams({ params }: Pick<PageCall, 'params'>): {
  projectId: string
  mergeRequestIid: number
} {
  const iid = params.iid ?? ''
  if (!/^\d{1,9}$/.test(iid)) throw missing()
  return { projectId: params.project ?? '', mergeRequestIid: Number(iid) }
}
