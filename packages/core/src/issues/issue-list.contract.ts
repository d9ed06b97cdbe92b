import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { Issue } from './issue.schema.ts'
import {
  IssueFilter,
  IssueStatistics,
  IssueStatisticsFilter,
  WideIssueFilter,
  WideIssueStatisticsFilter,
} from './issue-filter.schema.ts'

const tag = 'Issues'

const list = {
  method: 'GET',
  query: WideIssueFilter,
  paginated: true,
  response: { 200: z.array(Issue) },
} as const

const statistics = {
  method: 'GET',
  query: WideIssueStatisticsFilter,
  response: { 200: IssueStatistics },
} as const

/** Lists of issues (document 2, Issues) and their counts (catalogue: issues, 2.6). */
export const issueListsContract = {
  list: endpoint({
    ...list,
    path: '/issues',
    auth: {},
    docs: {
      summary: 'List the issues that the caller may see, of all projects',
      tag,
      description:
        'Those that the caller created, unless `scope` says otherwise. The filters `author_id` and `author_username` exclude each other, as do `assignee_id` and `assignee_username`. Issues of archived projects are left out, unless `non_archived` is false.',
    },
  }),
  listOfGroup: endpoint({
    ...list,
    path: '/groups/:id/issues',
    auth: { on: 'group', ability: 'read_group_issues' },
    docs: {
      summary: 'List the issues of a group and its subgroups',
      tag,
      description: 'Issues of archived projects are left out, unless `non_archived` is false.',
    },
  }),
  listOfProject: endpoint({
    ...list,
    query: IssueFilter,
    path: '/projects/:id/issues',
    auth: { on: 'project', ability: 'read_issues' },
    docs: { summary: 'List the issues of a project', tag },
  }),
  statistics: endpoint({
    ...statistics,
    path: '/issues_statistics',
    auth: 'optional',
    errors: ['unauthorized'],
    docs: {
      summary: 'Count the issues that the caller may see, of all projects',
      tag,
      description:
        'Those that the caller created, unless `scope` says otherwise; without a token only with `scope=all`.',
    },
  }),
  statisticsOfGroup: endpoint({
    ...statistics,
    path: '/groups/:id/issues_statistics',
    auth: { on: 'group', ability: 'read_group_issues' },
    docs: { summary: 'Count the issues of a group and its subgroups', tag },
  }),
  statisticsOfProject: endpoint({
    ...statistics,
    query: IssueStatisticsFilter,
    path: '/projects/:id/issues_statistics',
    auth: { on: 'project', ability: 'read_issues' },
    docs: { summary: 'Count the issues of a project', tag },
  }),
}
