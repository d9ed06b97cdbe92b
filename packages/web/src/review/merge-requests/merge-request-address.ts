import { projectAddress } from '../../platform/text/addresses.ts'

/** Names a merge request: the full path of its project, and its number there. */
export interface RequestKey {
  project: string
  iid: number | string
}

/** The address of a merge request, or of what is below it: `…/-/merge_requests/1/diffs`. */
export function requestAddress(
  { project, iid }: RequestKey,
  ...segments: readonly (string | number)[]
): string {
  return projectAddress(project, 'merge_requests', iid, ...segments)
}
