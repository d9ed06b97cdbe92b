import { z } from 'zod'
import { PipelineRef } from '../../ci/pipelines/pipeline.schema.ts'
import { Issue } from '../../planning/issues/issue.schema.ts'
import { MergeRequest } from '../../planning/items/merge-request.schema.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import {
  boolean,
  clearableInteger,
  integer,
  oneOf,
  optional,
  paid,
  text,
} from '../../platform/contract/fields.ts'
import { integerList, textList } from '../../platform/contract/list-fields.ts'
import { ItemsQuery } from '../../platform/contract/listed-descriptions.ts'
import { refNameText } from '../../platform/contract/ref-names.ts'
import { nameText, proseText, shortText } from '../../platform/contract/text-options.ts'
import { maxApprovalsRequired } from '../approvals/approval.rules.ts'
import { MergeRequestDetail } from './merge-request-detail.schema.ts'

const one = '/projects/:id/merge_requests/:merge_request_iid'
const params = z.object({ merge_request_iid: integer() })
const read = { on: 'merge_request', ability: 'show_merge_request' } as const
const update = { on: 'merge_request', ability: 'update_merge_request' } as const

/** Editable fields, on creation and update. */
const settings = {
  description: text(proseText),
  assignee_id: clearableInteger(),
  assignee_ids: integerList(),
  milestone_id: clearableInteger(),
  labels: textList(shortText),
  remove_source_branch: boolean(),
  squash: boolean(),
  allow_collaboration: boolean(),
  /** The older name of `allow_collaboration`. */
  allow_maintainer_to_push: boolean(),
}

/** Single merge requests; lists are in `mergeRequestListsContract`. */
export const mergeRequestsContract = {
  listForCommit: endpoint({
    name: 'commits.mergeRequests',
    method: 'GET',
    path: '/projects/:id/repository/commits/:sha/merge_requests',
    query: ItemsQuery,
    paginated: true,
    response: { 200: z.array(MergeRequest) },
    auth: { on: 'project', ability: 'read_merge_requests' },
    errors: ['not_found'],
    docs: {
      summary: 'List merge requests that contain a commit',
      description:
        'Newest first, in every state, of those that target this project. The commit is given ' +
        'by its hash, which may be abbreviated, or by a branch or tag. Only the latest ' +
        'version of a merge request is searched.',
    },
  }),
  show: endpoint({
    name: 'mergeRequests.show',
    method: 'GET',
    path: one,
    params,
    query: z.object(
      optional({
        render_html: boolean(),
        include_diverged_commits_count: boolean(),
        include_rebase_in_progress: boolean(),
        with_labels_details: boolean(),
      }),
    ),
    response: { 200: MergeRequestDetail },
    auth: read,
    errors: ['not_found'],
    docs: {
      summary: 'Show a merge request',
      description: 'Extension: `with_labels_details`, as in lists.',
    },
  }),
  create: endpoint({
    name: 'mergeRequests.create',
    method: 'POST',
    path: '/projects/:id/merge_requests',
    body: z.object({
      source_branch: text(refNameText),
      target_branch: text(refNameText),
      title: text(nameText),
      ...optional({
        ...settings,
        target_project_id: integer(),
        approvals_before_merge: paid(integer({ min: 0, max: maxApprovalsRequired })),
      }),
    }),
    response: { 201: MergeRequestDetail },
    auth: { on: 'project', ability: 'create_merge_request_from' },
    errors: ['forbidden', 'validation_failed', 'not_found', 'conflict', 'unprocessable'],
    docs: {
      summary: 'Create a merge request',
      description:
        'The project is the source; with `target_project_id` the merge request is created in ' +
        'that project, which it was forked from or shares a fork with. Assignees, milestone ' +
        'and labels are ignored from callers who may not set them there, and ' +
        '`approvals_before_merge` if the project requires more or cannot be overridden.',
    },
  }),
  update: endpoint({
    name: 'mergeRequests.update',
    method: 'PUT',
    path: one,
    params,
    body: z.object(
      optional({
        ...settings,
        title: text(nameText),
        target_branch: text(refNameText),
        state_event: oneOf(['close', 'reopen']),
        discussion_locked: boolean(),
      }),
    ),
    constraints: [
      {
        atLeastOneOf: [
          'assignee_id',
          'assignee_ids',
          'description',
          'labels',
          'milestone_id',
          'remove_source_branch',
          'state_event',
          'target_branch',
          'title',
          'discussion_locked',
          'squash',
        ],
      },
    ],
    response: { 200: MergeRequestDetail },
    auth: update,
    errors: ['not_found', 'validation_failed', 'conflict', 'unprocessable'],
    docs: {
      summary: 'Update a merge request',
      description:
        '`state_event` closes or reopens it, and `labels` replaces all its labels. Assignees, ' +
        'milestone, labels and `discussion_locked` are ignored from callers who may not set ' +
        'them.',
    },
  }),
  remove: endpoint({
    name: 'mergeRequests.delete',
    method: 'DELETE',
    path: one,
    params,
    response: { 204: null },
    auth: { on: 'merge_request', ability: 'delete_merge_request' },
    errors: ['not_found', 'precondition_failed'],
    docs: { summary: 'Delete a merge request' },
  }),
  listClosedIssues: endpoint({
    name: 'mergeRequests.closesIssues',
    method: 'GET',
    path: `${one}/closes_issues`,
    params,
    query: ItemsQuery,
    paginated: true,
    response: { 200: z.array(Issue) },
    auth: read,
    errors: ['not_found'],
    docs: {
      summary: 'List issues that a merge request closes',
      description:
        'Those that its title, description or commits say are closed when it is merged, as far ' +
        'as the caller may read them.',
    },
  }),
  listPipelines: endpoint({
    name: 'mergeRequests.pipelines',
    method: 'GET',
    path: `${one}/pipelines`,
    params,
    paginated: true,
    response: { 200: z.array(PipelineRef) },
    auth: { on: 'merge_request', ability: 'read_merge_request_pipelines' },
    errors: ['not_found'],
    docs: {
      summary: 'List pipelines of a merge request',
      description: 'Those of the commits of its source branch, newest first.',
    },
  }),
  subscribe: endpoint({
    name: 'mergeRequests.subscribe',
    method: 'POST',
    path: `${one}/subscribe`,
    params,
    response: { 201: MergeRequestDetail },
    auth: update,
    errors: ['not_found', 'not_modified'],
    docs: { summary: 'Subscribe to a merge request' },
  }),
  unsubscribe: endpoint({
    name: 'mergeRequests.unsubscribe',
    method: 'POST',
    path: `${one}/unsubscribe`,
    params,
    response: { 201: MergeRequestDetail },
    auth: update,
    errors: ['not_found', 'not_modified'],
    docs: { summary: 'Unsubscribe from a merge request' },
  }),
}
