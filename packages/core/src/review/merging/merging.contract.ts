import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { boolean, integer, optional, text } from '../../platform/contract/fields.ts'
import { proseText } from '../../platform/contract/text-options.ts'
import { MergeRequestDetail } from '../merge-requests/merge-request-detail.schema.ts'

const one = '/projects/:id/merge_requests/:merge_request_iid'
const params = z.object({ merge_request_iid: integer() })
const read = { on: 'merge_request', ability: 'show_merge_request' } as const

/** The commit that a merge would give. */
export const MergeRef = z.object({ commit_id: z.string() })
export type MergeRef = z.output<typeof MergeRef>

/** What a merge depends on, in the order in which it is checked. */
export const mergeCheckNames = [
  'open',
  'draft',
  'commits',
  'conflict',
  'pipeline',
  'discussions',
  'approvals',
  'rebase',
] as const
export type MergeCheckName = (typeof mergeCheckNames)[number]

/** One of the conditions of a merge. */
export const MergeCheck = z.object({
  name: z.enum(mergeCheckNames),
  /** `inactive` if the project does not ask for it; `checking` while it is not known yet. */
  status: z.enum(['passed', 'failed', 'checking', 'inactive']),
})
export type MergeCheck = z.output<typeof MergeCheck>

const cancel = {
  path: `${one}/cancel_merge_when_pipeline_succeeds`,
  params,
  auth: { on: 'merge_request', ability: 'cancel_automatic_merge' },
  errors: ['not_found', 'unauthorized', 'method_not_allowed', 'not_acceptable'],
  docs: {
    summary: 'Cancel merging when the pipeline succeeds',
    description:
      'For the author, and for callers who may merge into the target branch, others get 401. ' +
      'Returns 405 if the merge request is not open, 406 if it does not wait for a pipeline.',
  },
} as const

const mergeToRef = {
  params,
  body: z.object(optional({ merge_commit_message: text(proseText) })),
  response: { 200: MergeRef },
  auth: { on: 'merge_request', ability: 'merge_to_ref' },
  errors: ['not_found', 'bad_request'],
  docs: {
    summary: 'Merge a merge request to a ref with a message',
    description:
      'Updates `refs/merge-requests/:iid/merge` of the target project with what merging would ' +
      'give, under this message. `PUT .../merge_ref` is the same call.',
  },
} as const

/** Merging and rebasing of merge requests. */
export const mergingContract = {
  merge: endpoint({
    name: 'mergeRequests.merge',
    method: 'PUT',
    path: `${one}/merge`,
    params,
    body: z.object(
      optional({
        merge_commit_message: text(proseText),
        squash_commit_message: text(proseText),
        squash: boolean(),
        should_remove_source_branch: boolean(),
        merge_when_pipeline_succeeds: boolean(),
        sha: text(),
      }),
    ),
    response: { 200: MergeRequestDetail },
    auth: { on: 'merge_request', ability: 'accept_merge_request' },
    errors: ['not_found', 'unauthorized', 'method_not_allowed', 'not_acceptable', 'conflict'],
    docs: {
      summary: 'Merge a merge request',
      description:
        'For callers who may merge into the target branch; others get 401. Returns 405 if it is ' +
        'not open, work in progress, without commits or known to conflict, or if pipelines, ' +
        'discussions or approvals are missing; 406 if the branches cannot be merged; 409 if ' +
        '`sha` is not the head of the source branch. With `merge_when_pipeline_succeeds` and a ' +
        'running pipeline it is merged when that succeeds.',
    },
  }),
  listChecks: endpoint({
    name: 'mergeRequests.mergeChecks.list',
    method: 'GET',
    path: `${one}/merge_checks`,
    params,
    response: { 200: z.array(MergeCheck) },
    auth: read,
    errors: ['not_found'],
    docs: {
      summary: 'List what a merge depends on',
      description:
        'Whether it is open, no draft, has commits and no conflicts, whether pipeline, discussions ' +
        'and approvals are as the project asks, and whether it needs a rebase. An extension.',
    },
  }),
  showMergeRef: endpoint({
    name: 'mergeRequests.mergeRef',
    method: 'GET',
    path: `${one}/merge_ref`,
    params,
    response: { 200: MergeRef },
    auth: read,
    errors: ['not_found', 'bad_request'],
    docs: {
      summary: 'Merge a merge request to a ref',
      description:
        'Updates `refs/merge-requests/:iid/merge` of the target project with what merging would ' +
        'give; the target branch stays as it is.',
    },
  }),
  mergeToRef: endpoint({
    name: 'mergeRequests.mergeToRef',
    method: 'PUT',
    path: `${one}/merge_to_ref`,
    ...mergeToRef,
  }),
  mergeRefWithPut: endpoint({
    name: 'mergeRequests.mergeToRef',
    legacy: true,
    method: 'PUT',
    path: `${one}/merge_ref`,
    ...mergeToRef,
  }),
  cancelMergeWhenPipelineSucceeds: endpoint({
    name: 'mergeRequests.cancelMergeWhenPipelineSucceeds',
    method: 'POST',
    ...cancel,
    response: { 201: MergeRequestDetail },
  }),
  cancelMergeWhenPipelineSucceedsWithPut: endpoint({
    name: 'mergeRequests.cancelMergeWhenPipelineSucceeds',
    legacy: true,
    method: 'PUT',
    ...cancel,
    response: { 200: MergeRequestDetail },
  }),
  rebase: endpoint({
    name: 'mergeRequests.rebase',
    method: 'PUT',
    path: `${one}/rebase`,
    params,
    response: { 202: z.object({ rebase_in_progress: z.boolean() }) },
    auth: { on: 'merge_request', ability: 'rebase_merge_request' },
    errors: ['not_found', 'forbidden', 'conflict'],
    docs: {
      summary: 'Rebase the source branch of a merge request',
      description:
        'Starts a rebase of the source branch onto the target branch, for callers who may push ' +
        'to the source branch. Show the merge request with `include_rebase_in_progress` to see ' +
        'when it is done; `merge_error` says why it failed.',
    },
  }),
}
