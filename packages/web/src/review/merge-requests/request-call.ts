import type { PageCall } from '../../platform/pages/page-call.ts'
import type { RequestKey } from './merge-request-address.ts'

/** The merge request of a page, by its address. */
export function requestKey({ params }: Pick<PageCall, 'params'>): RequestKey {
  return { project: params.project ?? '', iid: params.iid ?? '' }
}

/** The same as parameters of the API; 0, which no merge request has, for what is no number. */
export function requestParams({ params }: Pick<PageCall, 'params'>): {
  projectId: string
  mergeRequestIid: number
} {
  const iid = params.iid ?? ''
  return {
    projectId: params.project ?? '',
    mergeRequestIid: /^\d{1,9}$/.test(iid) ? Number(iid) : 0,
  }
}
