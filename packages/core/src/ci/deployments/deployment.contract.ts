import { z } from 'zod'
import { dateTime } from '../../platform/contract/date-fields.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import {
  boolean,
  integer,
  nonEmptyText,
  oneOf,
  optional,
  text,
} from '../../platform/contract/fields.ts'
import { fullRefText } from '../../platform/contract/ref-names.ts'
import { environmentNameText } from '../environments/environment.rules.ts'
import { deploymentStatuses } from '../environments/last-deployment.schema.ts'
import { reachedStatuses } from './deployment.rules.ts'
import { Deployment } from './deployment.schema.ts'

const deployments = '/projects/:id/deployments'
const one = `${deployments}/:deployment_id` as const
const params = z.object({ deployment_id: integer({ min: 1 }) })
const read = { on: 'project', ability: 'read_deployments' } as const
const write = { on: 'project', ability: 'create_deployments' } as const

/** What a list of deployments can be ordered by. */
export const deploymentOrders = ['id', 'iid', 'created_at', 'ref'] as const
export type DeploymentOrder = (typeof deploymentOrders)[number]

/** Deployments of commits to environments. */
export const deploymentsContract = {
  list: endpoint({
    name: 'deployments.list',
    method: 'GET',
    path: deployments,
    query: z.object({
      order_by: oneOf(deploymentOrders).default('id'),
      sort: oneOf(['asc', 'desc']).default('asc'),
      ...optional({
        updated_after: dateTime(),
        updated_before: dateTime(),
        environment: text(),
        status: oneOf(deploymentStatuses),
      }),
    }),
    paginated: true,
    response: { 200: z.array(Deployment) },
    auth: read,
    docs: { summary: 'List deployments of a project' },
  }),
  show: endpoint({
    name: 'deployments.show',
    method: 'GET',
    path: one,
    params,
    response: { 200: Deployment },
    auth: read,
    errors: ['not_found'],
    docs: { summary: 'Show a deployment' },
  }),
  create: endpoint({
    name: 'deployments.create',
    method: 'POST',
    path: deployments,
    body: z.object({
      environment: nonEmptyText(environmentNameText),
      sha: nonEmptyText(),
      ref: nonEmptyText(fullRefText),
      tag: boolean().default(false),
      status: oneOf(deploymentStatuses).default('created'),
    }),
    response: { 201: Deployment },
    auth: write,
    errors: ['validation_failed'],
    docs: {
      summary: 'Create a deployment',
      description:
        'For deployments by other means than CI jobs. The environment is created if there is none ' +
        'of this name; the commit must exist.',
    },
  }),
  update: endpoint({
    name: 'deployments.update',
    method: 'PUT',
    path: one,
    params,
    body: z.object({ status: oneOf(reachedStatuses) }),
    response: { 200: Deployment },
    auth: write,
    errors: ['not_found', 'bad_request', 'forbidden'],
    docs: {
      summary: 'Update the status of a deployment',
      description:
        '`created` is followed by `running`, and both by `success`, `failed` or `canceled`, which ' +
        'are final. The status of a deployment by a CI job follows that of the job.',
    },
  }),
}
