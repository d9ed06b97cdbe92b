import type { BenchRow, SizeRow } from './bench-row.ts'
import {
  branchesProject,
  busyProject,
  historyProject,
  largeEpic,
  measuredFile,
  measuredProject,
  member,
  rareWord,
  root,
} from './data/measured.ts'
import { issueRows } from './issue-rows.ts'
import { measuredGroup } from './item-rows.ts'
import { mergeRequestRows } from './merge-request-rows.ts'

/** All rows are requested by the same ordinary member, with a token in a header. */
export const requestHeaders = { 'private-token': member.token }

const repository = `/api/v4/projects/${measuredProject.id}/repository`

/** Measured against the baseline. */
export const rows: readonly BenchRow[] = [
  { name: 'version', path: '/api/v4/version', goal: 0.85 },
  {
    name: 'settings',
    path: '/api/v4/application/settings',
    goal: 0.85,
    headers: { 'private-token': root.token },
  },
  { name: 'projects', path: '/api/v4/projects?per_page=20', goal: 0.85 },
  { name: 'project', path: `/api/v4/projects/${measuredProject.id}`, goal: 0.85 },
  { name: 'users', path: '/api/v4/users', goal: 0.85 },
  { name: 'commits', path: `${repository}/commits`, goal: 0.85 },
  {
    name: 'raw-file',
    path: `${repository}/files/${encodeURIComponent(measuredFile)}/raw?ref=main`,
    goal: 0.85,
  },
  { name: 'commit', path: `${repository}/commits/main`, goal: 0.8 },
  { name: 'tree', path: `${repository}/tree?path=src&per_page=100`, goal: 0.8 },
  {
    name: 'file',
    path: `${repository}/files/${encodeURIComponent(measuredFile)}?ref=main`,
    goal: 0.8,
  },
  { name: 'branches', path: `${repository}/branches`, goal: 0.8 },
  ...issueRows.rows,
  ...mergeRequestRows.rows,
  {
    name: 'search-issues',
    path: `/api/v4/projects/${busyProject}/search?search=${rareWord}&scope=issues`,
    goal: 0.85,
  },
]

const sizeGoal = 1.5

const epics = `/api/v4/groups/${measuredGroup}/epics`
/** First pages; those of the small data are as long. */
const vulnerabilityLists = [
  ['vulnerabilities', ''],
  ['vulnerabilities-dismissed', '?scope=all'],
  ['vulnerabilities-severe', '?severity=high,critical'],
  ['vulnerabilities-confident', '?confidence=confirmed&report_type=sast'],
] as const

/** Measured on large and on small; both return the same number of items. */
export const sizeRows: readonly SizeRow[] = [
  { name: 'projects', path: '/api/v4/projects?per_page=10', goal: sizeGoal },
  { name: 'project', path: `/api/v4/projects/${measuredProject.id}`, goal: sizeGoal },
  { name: 'users', path: '/api/v4/users?per_page=15', goal: sizeGoal },
  { name: 'groups', path: '/api/v4/groups?per_page=6', goal: sizeGoal },
  { name: 'members', path: '/api/v4/projects/1/members/all?per_page=3', goal: sizeGoal },
  { name: 'events', path: '/api/v4/projects/1/events?per_page=5', goal: sizeGoal },
  ...vulnerabilityLists.map(([name, query]) => ({
    name,
    path: `/api/v4/projects/${measuredProject.id}/vulnerabilities${query}`,
    limit: 15,
    goal: sizeGoal,
  })),
  {
    name: 'history',
    path: `/api/v4/projects/${historyProject}/repository/commits`,
    goal: sizeGoal,
  },
  ...['issues', 'merge_requests'].map((scope) => ({
    name: `search-${scope.replace('_', '-')}`,
    path: `/api/v4/search?search=${rareWord}&scope=${scope}`,
    goal: sizeGoal,
  })),
  { name: 'epics', path: epics, goal: sizeGoal },
  { name: 'epic', path: `${epics}/${largeEpic}`, goal: sizeGoal },
  { name: 'child-epics', path: `${epics}/1/epics`, goal: sizeGoal },
  { name: 'epic-issues', path: `${epics}/${largeEpic}/issues`, goal: sizeGoal },
  {
    name: 'branches',
    path: `/api/v4/projects/${branchesProject}/repository/branches`,
    goal: 2,
  },
]
