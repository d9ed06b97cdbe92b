import type { BenchRow } from './bench-row.ts'
import { busyProject, member, peopleGroup } from './data/measured.ts'

const group = `/api/v4/groups/${peopleGroup.path}`
const project = `/api/v4/projects/${busyProject}`
const goal = 0.85

/** The longest that the median request for the first page of a list may take, in milliseconds. */
const listLimit = 15

const lists = {
  'users-of-many': '/api/v4/users',
  'groups-of-member': '/api/v4/groups',
  'groups-visible': '/api/v4/groups?all_available=true',
  subgroups: `${group}/subgroups`,
  'group-projects': `${group}/projects`,
  'projects-of-member': '/api/v4/projects',
  'group-members': `${group}/members`,
  'group-members-all': `${group}/members/all`,
  'project-members': `${project}/members`,
  'project-members-all': `${project}/members/all`,
  'user-keys': '/api/v4/user/keys',
  'user-emails': '/api/v4/user/emails',
  'access-requests': `${group}/access_requests`,
  badges: `${project}/badges`,
  environments: `${project}/environments`,
  deployments: `${project}/deployments`,
  starrers: `${project}/starrers`,
} as const

/** Measured on the data of `people`, one client, so that the times are those of a request alone. */
export const peopleRows: readonly BenchRow[] = [
  ...Object.entries(lists).map(([name, path]) => ({ name, path, goal, limit: listLimit })),
  { name: 'group-details', path: group, goal, limit: 40 },
  {
    name: 'application-token',
    path: '/api/v4/version',
    goal,
    limit: listLimit,
    headers: { authorization: `Bearer ${member.oauthToken}` },
  },
]
