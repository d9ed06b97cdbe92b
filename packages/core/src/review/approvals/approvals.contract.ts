import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { boolean, integer, optional, text } from '../../platform/contract/fields.ts'
import { integerList } from '../../platform/contract/list-fields.ts'
import { maxApprovalsRequired } from './approval.rules.ts'
import { ApprovalState, MergeRequestApprovals, ProjectApprovals } from './approval.schema.ts'

const one = '/projects/:id/merge_requests/:merge_request_iid'
const params = z.object({ merge_request_iid: integer() })
const tier = 'premium'
const read = { on: 'merge_request', ability: 'show_merge_request' } as const
const update = { on: 'merge_request', ability: 'update_merge_request' } as const
const approve = { on: 'merge_request', ability: 'approve_merge_request' } as const
const configure = { on: 'project', ability: 'admin_approval_rules' } as const

const listed = z.object({
  approver_ids: integerList(),
  approver_group_ids: integerList(),
  ...optional({ remove_hidden_groups: boolean() }),
})

const replacing =
  'Replaces both lists. Users who may not approve merge requests of the project, and groups that ' +
  'the caller cannot see, are ignored; groups that are listed already and that the caller cannot ' +
  'see stay, unless `remove_hidden_groups` is set.'

/** Approvals of merge requests, and how a project requires them. */
export const approvalsContract = {
  showOfProject: endpoint({
    name: 'projects.approvals.show',
    method: 'GET',
    path: '/projects/:id/approvals',
    response: { 200: ProjectApprovals },
    tier,
    auth: { on: 'project', ability: 'read_approval_settings' },
    docs: { summary: 'Show how merge requests into a project are approved' },
  }),
  updateOfProject: endpoint({
    name: 'projects.approvals.update',
    method: 'POST',
    path: '/projects/:id/approvals',
    body: z.object(
      optional({
        approvals_before_merge: integer({ min: 0, max: maxApprovalsRequired }),
        reset_approvals_on_push: boolean(),
        disable_overriding_approvers_per_merge_request: boolean(),
        merge_requests_author_approval: boolean(),
      }),
    ),
    response: { 201: ProjectApprovals },
    tier,
    auth: configure,
    errors: ['not_found'],
    docs: { summary: 'Change how merge requests into a project are approved' },
  }),
  setApproversOfProject: endpoint({
    name: 'projects.approvers.set',
    method: 'PUT',
    path: '/projects/:id/approvers',
    body: listed,
    response: { 200: ProjectApprovals },
    tier,
    auth: configure,
    errors: ['not_found'],
    docs: {
      summary: 'Set the approvers of a project',
      description: `${replacing} They apply where the project has no approval rules.`,
    },
  }),
  show: endpoint({
    name: 'mergeRequests.approvals.show',
    method: 'GET',
    path: `${one}/approvals`,
    params,
    response: { 200: MergeRequestApprovals },
    tier,
    auth: read,
    errors: ['not_found'],
    docs: { summary: 'Show the approvals of a merge request' },
  }),
  update: endpoint({
    name: 'mergeRequests.approvals.update',
    method: 'POST',
    path: `${one}/approvals`,
    params,
    body: z.object({ approvals_required: integer({ min: 0, max: maxApprovalsRequired }) }),
    response: { 201: MergeRequestApprovals },
    tier,
    auth: update,
    errors: ['not_found', 'forbidden', 'validation_failed'],
    docs: {
      summary: 'Set how many approvals a merge request requires',
      description:
        'At least as many as its project requires (400). Returns 403 if the project does not let ' +
        'merge requests override its approvers.',
    },
  }),
  setApprovers: endpoint({
    name: 'mergeRequests.approvers.set',
    method: 'PUT',
    path: `${one}/approvers`,
    params,
    body: listed,
    response: { 200: MergeRequestApprovals },
    tier,
    auth: update,
    errors: ['not_found', 'forbidden'],
    docs: {
      summary: 'Set the approvers of a merge request',
      description:
        `${replacing} They replace those of the project. Returns 403 if the project does not let ` +
        'merge requests override its approvers.',
    },
  }),
  approve: endpoint({
    name: 'mergeRequests.approve',
    method: 'POST',
    path: `${one}/approve`,
    params,
    body: z.object(optional({ sha: text(), approval_password: text() })),
    response: { 201: MergeRequestApprovals },
    tier,
    auth: approve,
    errors: ['not_found', 'unauthorized', 'conflict'],
    docs: {
      summary: 'Approve a merge request',
      description:
        'For eligible approvers, once each; others get 401, as does everyone if it is not open. ' +
        'Returns 409 if `sha` is not the head of the source branch, and 401 if ' +
        '`approval_password` is sent and is not the password of the caller.',
    },
  }),
  unapprove: endpoint({
    name: 'mergeRequests.unapprove',
    method: 'POST',
    path: `${one}/unapprove`,
    params,
    response: { 201: MergeRequestApprovals },
    tier,
    auth: approve,
    errors: ['not_found', 'unauthorized'],
    docs: {
      summary: 'Take back the approval of a merge request',
      description: 'Returns 404 if the caller did not approve it, or it is merged.',
    },
  }),
  showState: endpoint({
    name: 'mergeRequests.approvalState.show',
    method: 'GET',
    path: `${one}/approval_state`,
    params,
    response: { 200: ApprovalState },
    tier,
    auth: read,
    errors: ['not_found'],
    docs: {
      summary: 'Show the approval rules that apply to a merge request',
      description:
        'Those of the project, of which its own may replace some, and its own others; with the ' +
        'approvals that count for each.',
    },
  }),
}
