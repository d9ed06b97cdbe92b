import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer } from '../../platform/contract/fields.ts'
import { ItemsQuery } from '../../platform/contract/listed-descriptions.ts'
import {
  MoveAmongSiblings,
  moveConstraints,
  moveDescription,
} from '../items/relative-order.schema.ts'
import { EpicIssue, EpicIssueLink } from './epic-issue.schema.ts'

const path = '/groups/:id/epics/:epic_iid/issues'
const params = z.object({ epic_iid: integer() })
const linkParams = params.extend({ epic_issue_id: integer() })
const link = { on: 'epic', ability: 'update_epic' } as const
const reporter = 'Needs the Reporter role in the group and in the project of the issue.'

/** The issues of an epic. */
export const epicIssuesContract = {
  list: endpoint({
    name: 'epics.issues.list',
    method: 'GET',
    path,
    params,
    query: ItemsQuery,
    paginated: true,
    response: { 200: z.array(EpicIssue) },
    auth: { on: 'epic', ability: 'read_epic' },
    tier: 'premium',
    errors: ['not_found'],
    docs: {
      summary: 'List issues of an epic',
      description: 'Those that the caller can read, in their order.',
    },
  }),
  assign: endpoint({
    name: 'epics.issues.assign',
    method: 'POST',
    path: `${path}/:issue_id`,
    params: params.extend({ issue_id: integer() }),
    response: { 201: EpicIssueLink },
    auth: link,
    tier: 'premium',
    errors: ['not_found', 'forbidden', 'conflict'],
    docs: {
      summary: 'Assign an issue to an epic',
      description: `The issue becomes the last one of the epic, and leaves the epic that it was in. It belongs to a project of the group or of its subgroups. ${reporter}`,
    },
  }),
  move: endpoint({
    name: 'epics.issues.move',
    method: 'PUT',
    path: `${path}/:epic_issue_id`,
    params: linkParams,
    body: MoveAmongSiblings,
    constraints: moveConstraints,
    response: { 200: z.array(EpicIssue) },
    auth: link,
    tier: 'premium',
    errors: ['not_found', 'forbidden', 'bad_request'],
    docs: {
      summary: 'Move an issue among those of its epic',
      description: `The ids are those of links. ${moveDescription('issues')} ${reporter}`,
    },
  }),
  remove: endpoint({
    name: 'epics.issues.delete',
    method: 'DELETE',
    path: `${path}/:epic_issue_id`,
    params: linkParams,
    response: { 200: EpicIssueLink },
    auth: link,
    tier: 'premium',
    errors: ['not_found', 'forbidden'],
    docs: { summary: 'Remove an issue from an epic', description: reporter },
  }),
}
