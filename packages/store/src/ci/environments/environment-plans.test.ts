import { deploymentOrders } from '@stithy/core'
import { describe, expect, it } from 'vitest'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { costlySteps, plansOf } from '../../testing/plans.ts'
import {
  deleteDeployments,
  findDeployment,
  findLastDeployment,
  listDeployments,
  removeDeployments,
} from '../deployments/deployment-store.ts'
import { findCiJobs } from '../jobs/ci-job-store.ts'
import {
  findEnvironment,
  findEnvironmentByName,
  listEnvironments,
  setEnvironmentState,
} from './environment-store.ts'

const page = { page: 1, perPage: 20 }
const byId = { by: 'id', direction: 'asc' } as const

describe('queries of environments and deployments', () => {
  it.each<[string, (q: Queries) => Promise<unknown>]>([
    ['the list', (q) => listEnvironments(q, { projectId: 1 }, page)],
    ['by state', (q) => listEnvironments(q, { projectId: 1, state: 'stopped' }, page)],
    ['by name', (q) => listEnvironments(q, { projectId: 1, name: 'a' }, page)],
    ['by a part of the name', (q) => listEnvironments(q, { projectId: 1, search: 'a' }, page)],
    ['an environment', (q) => findEnvironment(q, { projectId: 1, id: 1 })],
    ['one by its name', (q) => findEnvironmentByName(q, { projectId: 1, name: 'a' })],
    ['a deployment', (q) => findDeployment(q, { projectId: 1, id: 1 })],
    ['the last one', (q) => findLastDeployment(q, 1)],
    ['the jobs of deployments', (q) => findCiJobs(q, [1, 2])],
    ['by status', (q) => listDeployments(q, { projectId: 1, status: 'failed' }, byId, page)],
    [
      'of an environment',
      (q) => listDeployments(q, { projectId: 1, environment: 'a' }, byId, page),
    ],
    [
      'of an environment by status',
      (q) => listDeployments(q, { projectId: 1, environment: 'a', status: 'failed' }, byId, page),
    ],
    ...deploymentOrders.map(
      (by) =>
        [
          `deployments by ${by}`,
          (q: Queries) => listDeployments(q, { projectId: 1 }, { by, direction: 'desc' }, page),
        ] satisfies [string, unknown],
    ),
  ])('read indexes, in order: %s', async (_, work) => {
    for (const [shape, plan] of await plansOf(work)) {
      expect([shape, costlySteps(plan)]).toEqual([shape, []])
    }
  })

  it.each<[string, (tx: Transaction) => Promise<unknown>]>([
    [
      'a change of the state',
      (tx) => setEnvironmentState(tx, { id: 1, projectId: 1, state: 'stopped', updatedAt: 1 }),
    ],
    [
      'the deletion of an environment',
      (tx) => deleteDeployments(tx, { projectId: 1, environmentId: 1, limit: 9 }),
    ],
    ['the deletion of a project', (tx) => removeDeployments(tx, { projectId: 1, limit: 9 })],
  ])('read indexes: %s', async (_, work) => {
    for (const [shape, plan] of await plansOf(work)) {
      expect([shape, costlySteps(plan)]).toEqual([shape, []])
    }
  })
})
