import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { boolean, integer, optional, text } from '../../platform/contract/fields.ts'
import { integerList } from '../../platform/contract/list-fields.ts'
import { nameText } from '../../platform/contract/text-options.ts'
import { maxApprovalsRequired } from './approval.rules.ts'
import { ApprovalRule } from './approval.schema.ts'

const ofProject = '/projects/:id/approval_rules'
const ofRequest = '/projects/:id/merge_requests/:merge_request_iid/approval_rules'
const requestParams = z.object({ merge_request_iid: integer() })
const ruleParams = z.object({ approval_rule_id: integer() })
const tier = 'premium'
const read = { on: 'merge_request', ability: 'show_merge_request' } as const
const update = { on: 'merge_request', ability: 'update_merge_request' } as const
const configure = { on: 'project', ability: 'admin_approval_rules' } as const

const number = { approvals_required: integer({ min: 0, max: maxApprovalsRequired }) }
const people = optional({
  user_ids: integerList(),
  group_ids: integerList(),
  /** The older names. */
  users: integerList(),
  groups: integerList(),
})
const written = { name: text(nameText), ...number, ...people }
const changed = z.object({
  ...optional({ name: text(nameText), ...number, remove_hidden_groups: boolean() }),
  ...people,
})

const replacing =
  'What is left out stays as it is. A list of users or groups replaces the one before; groups that ' +
  'the caller cannot see stay, unless `remove_hidden_groups` is set.'
const overriding = 'Returns 403 if the project does not let merge requests override its approvers.'

/** Approval rules of projects and of single merge requests. */
export const approvalRulesContract = {
  listOfProject: endpoint({
    name: 'projects.approvalRules.list',
    method: 'GET',
    path: ofProject,
    response: { 200: z.array(ApprovalRule) },
    tier,
    auth: { on: 'project', ability: 'read_merge_requests' },
    docs: { summary: 'List approval rules of a project', description: 'Oldest first.' },
  }),
  showOfProject: endpoint({
    name: 'projects.approvalRules.show',
    method: 'GET',
    path: `${ofProject}/:approval_rule_id`,
    params: ruleParams,
    response: { 200: ApprovalRule },
    tier,
    auth: { on: 'project', ability: 'read_merge_requests' },
    errors: ['not_found'],
    docs: { summary: 'Show an approval rule of a project' },
  }),
  createOfProject: endpoint({
    name: 'projects.approvalRules.create',
    method: 'POST',
    path: ofProject,
    body: z.object(written),
    response: { 201: ApprovalRule },
    tier,
    auth: configure,
    errors: ['validation_failed', 'bad_request'],
    docs: {
      summary: 'Create an approval rule of a project',
      description:
        'Users who may not approve merge requests of the project, and groups that the caller ' +
        'cannot see, are ignored. Of a group its direct members are approvers.',
    },
  }),
  updateOfProject: endpoint({
    name: 'projects.approvalRules.update',
    method: 'PUT',
    path: `${ofProject}/:approval_rule_id`,
    params: ruleParams,
    body: changed,
    response: { 200: ApprovalRule },
    tier,
    auth: configure,
    errors: ['not_found', 'validation_failed'],
    docs: { summary: 'Update an approval rule of a project', description: replacing },
  }),
  removeOfProject: endpoint({
    name: 'projects.approvalRules.delete',
    method: 'DELETE',
    path: `${ofProject}/:approval_rule_id`,
    params: ruleParams,
    response: { 204: null },
    tier,
    auth: configure,
    errors: ['not_found'],
    docs: { summary: 'Delete an approval rule of a project' },
  }),
  list: endpoint({
    name: 'mergeRequests.approvalRules.list',
    method: 'GET',
    path: ofRequest,
    params: requestParams,
    response: { 200: z.array(ApprovalRule) },
    tier,
    auth: read,
    errors: ['not_found'],
    docs: {
      summary: 'List approval rules of a merge request',
      description: 'Its own, oldest first; `approval_state` shows those of its project as well.',
    },
  }),
  show: endpoint({
    name: 'mergeRequests.approvalRules.show',
    method: 'GET',
    path: `${ofRequest}/:approval_rule_id`,
    params: requestParams.extend(ruleParams.shape),
    response: { 200: ApprovalRule },
    tier,
    auth: read,
    errors: ['not_found'],
    docs: { summary: 'Show an approval rule of a merge request', description: 'One of its own.' },
  }),
  create: endpoint({
    name: 'mergeRequests.approvalRules.create',
    method: 'POST',
    path: ofRequest,
    params: requestParams,
    body: z.object({
      ...number,
      ...people,
      ...optional({ name: text(nameText), approval_project_rule_id: integer() }),
    }),
    constraints: [{ atLeastOneOf: ['name', 'approval_project_rule_id'] }],
    response: { 201: ApprovalRule },
    tier,
    auth: update,
    errors: ['not_found', 'forbidden', 'validation_failed', 'bad_request'],
    docs: {
      summary: 'Create an approval rule of a merge request',
      description:
        'With `approval_project_rule_id` it replaces that rule of the project, whose name, users ' +
        `and groups it copies, and requires at least as many approvals (400). ${overriding}`,
    },
  }),
  update: endpoint({
    name: 'mergeRequests.approvalRules.update',
    method: 'PUT',
    path: `${ofRequest}/:approval_rule_id`,
    params: requestParams.extend(ruleParams.shape),
    body: changed,
    response: { 200: ApprovalRule },
    tier,
    auth: update,
    errors: ['not_found', 'forbidden', 'validation_failed'],
    docs: {
      summary: 'Update an approval rule of a merge request',
      description: `${replacing} ${overriding}`,
    },
  }),
  remove: endpoint({
    name: 'mergeRequests.approvalRules.delete',
    method: 'DELETE',
    path: `${ofRequest}/:approval_rule_id`,
    params: requestParams.extend(ruleParams.shape),
    response: { 204: null },
    tier,
    auth: update,
    errors: ['not_found', 'forbidden'],
    docs: { summary: 'Delete an approval rule of a merge request', description: overriding },
  }),
}
