import { describe, expect, it } from 'vitest'
import type { Contract, EndpointSpec } from '../platform/contract/endpoint.ts'
import { endpointsByName } from '../platform/contract/endpoints-by-name.ts'
import { pathParameters, resourceTitle } from '../platform/contract/names.ts'
import { contracts } from './registry.ts'

/** The actions that names end in. Add a new one only when none of these means the same. */
const actions = {
  standard: ['list', 'show', 'create', 'update', 'delete'],
  /** Other writes, by the verb in the API's documentation. */
  verbs: [
    ...[
      'addSpentTime',
      'approve',
      'apply',
      'archive',
      'assign',
      'block',
      'check',
      'cherryPick',
      'compare',
      'confirm',
      'deleteMerged',
      'disable',
      'enable',
      'find',
      'fork',
    ],
    ...[
      'listPublic',
      'markAllAsDone',
      'markAsDone',
      'move',
      'promote',
      'render',
      'renderBatch',
      'reorder',
      'resetSpentTime',
    ],
    ...[
      'resetTimeEstimate',
      'resolve',
      'revert',
      'revoke',
      'set',
      'setTimeEstimate',
      'share',
      'star',
    ],
    ...['start', 'stop', 'subscribe', 'transfer', 'transferProject', 'unarchive', 'unblock'],
    ...['test', 'unapprove', 'unshare', 'unstar', 'unsubscribe'],
    ...['cancelMergeWhenPipelineSucceeds', 'merge', 'mergeToRef', 'rebase'],
  ],
  /** Parts of one resource that are read, by their noun: `issues.closedBy`. */
  views: [
    ...[
      'archive',
      'backlogHistory',
      'blame',
      'burndownEvents',
      'changes',
      'closedBy',
      'closesIssues',
      'commits',
    ],
    ...[
      'contributors',
      'current',
      'diff',
      'eventStream',
      'issues',
      'languages',
      'lines',
      'mergeBase',
      'mergeRef',
      'mergeRequests',
    ],
    ...['compoundMetrics', 'jobStats', 'processMetrics', 'queueMetrics'],
    ...['participants', 'pipelines', 'raw', 'rawDiffs'],
    ...[
      'refs',
      'relatedMergeRequests',
      'signature',
      'snapshot',
      'statistics',
      'subgroups',
      'timeStats',
    ],
    'tree',
  ],
}

/** Names of the id after `/projects/`, `/groups/` and similar. */
const ids = ['applicationId', 'projectId', 'groupId', 'userId', 'namespaceId', 'keyId']

const endpoints = Object.values<Contract>(contracts)
  .flatMap((contract) => Object.values(contract))
  .map((endpoint): [string, EndpointSpec] => [`${endpoint.method} ${endpoint.path}`, endpoint])
const names = [...endpointsByName(contracts).keys()]

function actionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

describe('the name of', () => {
  it.each(endpoints)('%s is a resource and a known action', (_, { name, method }) => {
    expect(name).toMatch(/^[a-z][A-Za-z]*(?:\.[a-z][A-Za-z]*){1,3}$/)
    const { standard, verbs, views } = actions
    expect([...standard, ...verbs, ...views]).toContain(actionOf(name))
    if (method === 'DELETE') expect(actionOf(name)).toMatch(/^(?:delete|deleteMerged|unshare)$/)
    if (views.includes(actionOf(name)) && !verbs.includes(actionOf(name))) {
      expect(method).toBe('GET')
    }
  })

  it.each(endpoints)('%s names its parameters after their resource', (_, { path }) => {
    for (const { wire, input } of pathParameters(path)) {
      if (wire === 'id') expect(ids).toContain(input)
      expect(input).toMatch(/^[a-z][A-Za-z]*$/)
    }
  })

  it.each(endpoints.filter(([, { legacy }]) => legacy))(
    '%s, a legacy endpoint, matches its current one',
    (_, { name }) => {
      expect(names).toContain(name)
    },
  )
})

/** A path without the leading project, group or user. */
function belowParent(path: string): string {
  return (
    path
      .replace(/^\/(?:(?:projects|groups|users)\/:\w+|user)(?=\/)/, '')
      // The one path whose parent is at the end.
      .replace('/projects/user/:user_id', '/projects')
      .replace('/archive.:format', '/archive')
  )
}

describe('names', () => {
  it('are shared only by endpoints with different parents', () => {
    for (const [name, variants] of endpointsByName(contracts)) {
      expect(new Set(variants.map(({ path }) => belowParent(path))).size, name).toBe(1)
      const parents = variants.map(({ path }) =>
        pathParameters(path)
          .map(({ input }) => input)
          .sort()
          .join(),
      )
      expect(new Set(parents).size, name).toBe(variants.length)
    }
  })

  it('are never both a method and a resource', () => {
    const nested = names.flatMap((name) => names.filter((each) => each.startsWith(`${name}.`)))
    expect(nested).toEqual([])
  })

  it('use every listed action', () => {
    const used = new Set(names.map(actionOf))
    expect(
      Object.values(actions)
        .flat()
        .filter((action) => !used.has(action)),
    ).toEqual([])
  })

  it('have a title for every resource', () => {
    expect(resourceTitle('issues.list')).toBe('Issues')
    expect(resourceTitle('mergeRequests.discussions.notes.create')).toBe(
      'Merge requests / Discussions / Notes',
    )
  })
})

describe('the documentation of', () => {
  it.each(endpoints)('%s starts with a verb and is not a sentence', (_, { docs }) => {
    expect(docs.summary).toMatch(/^[A-Z][a-z-]+ [^.;:]+$/)
    expect(docs.summary.length).toBeLessThanOrEqual(72)
    if (docs.description !== undefined) expect(docs.description).toMatch(/^[A-Z`^].*\.$/)
  })
})
