import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { Issue } from './issue.schema.ts'
import {
  IssueFilter,
  IssueStatistics,
  IssueStatisticsFilter,
  WideIssueFilter,
  WideIssueStatisticsFilter,
} from './issue-filter.schema.ts'

const constraints = [
  { mutuallyExclusive: ['author_id', 'author_username'] },
  { mutuallyExclusive: ['assignee_id', 'assignee_username'] },
] as const

const list = {
  method: 'GET',
  constraints,
  query: WideIssueFilter,
  paginated: true,
  response: { 200: z.array(Issue) },
} as const

const statistics = {
  method: 'GET',
  constraints,
  query: WideIssueStatisticsFilter,
  response: { 200: IssueStatistics },
} as const

/** Lists of issues, and their statistics. */
export const issueListsContract = {
  list: endpoint({
    name: 'issues.list',
    ...list,
    path: '/issues',
    auth: {},
    docs: {
      summary: 'List issues',
      description:
        'Issues created by the caller, unless `scope` is given. Issues of archived projects ' +
        'are left out, unless `non_archived` is false.',
    },
  }),
  listOfGroup: endpoint({
    name: 'issues.list',
    ...list,
    path: '/groups/:id/issues',
    auth: { on: 'group', ability: 'read_group_issues' },
    docs: {
      summary: 'List issues of a group',
      description:
        'Includes issues of subgroups. Issues of archived projects are left out, unless ' +
        '`non_archived` is false.',
    },
  }),
  listOfProject: endpoint({
    name: 'issues.list',
    ...list,
    query: IssueFilter,
    path: '/projects/:id/issues',
    auth: { on: 'project', ability: 'read_issues' },
    docs: { summary: 'List issues of a project' },
  }),
  statistics: endpoint({
    name: 'issues.statistics',
    ...statistics,
    path: '/issues_statistics',
    auth: 'optional',
    errors: ['unauthorized'],
    docs: {
      summary: 'Show issue statistics',
      description:
        'Counts issues created by the caller, unless `scope` is given. Without a token, ' +
        '`scope` must be `all`.',
    },
  }),
  statisticsOfGroup: endpoint({
    name: 'issues.statistics',
    ...statistics,
    path: '/groups/:id/issues_statistics',
    auth: { on: 'group', ability: 'read_group_issues' },
    docs: {
      summary: 'Show issue statistics of a group',
      description: 'Includes issues of subgroups.',
    },
  }),
  statisticsOfProject: endpoint({
    name: 'issues.statistics',
    ...statistics,
    query: IssueStatisticsFilter,
    path: '/projects/:id/issues_statistics',
    auth: { on: 'project', ability: 'read_issues' },
    docs: { summary: 'Show issue statistics of a project' },
  }),
}
