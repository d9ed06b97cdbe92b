import type { PipelineState } from '../../code/commits/pipeline-states.ts'
import { lazy } from '../../platform/lazy.ts'

/** The ref in the target project that holds what merging a merge request would give. */
export function mergeRequestMergeRef(iid: number): string {
  return `refs/merge-requests/${iid}/merge`
}

/** What the default message of a merge commit mentions. */
export interface MergeMessageParts {
  sourceBranch: string
  targetBranch: string
  title: string
  /** References to the issues that it closes. */
  closes: readonly string[]
  /** The full reference of the merge request, `group/project!1`. */
  reference: string
}

const conjunction = lazy(() => new Intl.ListFormat('en', { type: 'conjunction' }))

/** The message of a merge commit for which the caller gave none. */
export function defaultMergeMessage(parts: MergeMessageParts): string {
  const { sourceBranch, targetBranch, title, closes, reference } = parts
  return [
    `Merge branch '${sourceBranch}' into '${targetBranch}'`,
    title,
    ...(closes.length === 0 ? [] : [`Closes ${conjunction().format(closes)}`]),
    `See merge request ${reference}`,
  ].join('\n\n')
}

/** A commit that is squashed. */
export interface SquashedCommit {
  message: string
  parents: readonly string[]
}

/**
 * The message of a squashed commit for which the caller gave none: that of the first commit with
 * more than a title, else the title of the merge request. @param commits oldest first
 */
export function defaultSquashMessage(commits: readonly SquashedCommit[], title: string): string {
  const described = commits.find(({ parents, message }) => parents.length < 2 && hasBody(message))
  return described?.message ?? title
}

function hasBody(message: string): boolean {
  const [, ...rest] = message.trim().split('\n')
  return rest.some((line) => line.trim() !== '')
}

const active: ReadonlySet<PipelineState> = new Set(['created', 'preparing', 'pending', 'running'])

/** Whether a merge can wait for the pipeline to succeed. */
export function isPipelineActive(status: PipelineState): boolean {
  return active.has(status)
}

/** Whether a project that requires pipelines to succeed lets a merge request be merged. */
export function isPipelinePassed(status: PipelineState): boolean {
  return status === 'success' || status === 'skipped'
}
