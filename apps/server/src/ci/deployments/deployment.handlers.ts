import type { deploymentsContract, environmentsContract } from '@stithy/core'
import { findLastDeployment, listDeployments } from '@stithy/store'
import type { Handlers } from '../../platform/http/call.ts'
import { presentEnvironment } from '../environments/environment.presenter.ts'
import { requireEnvironment } from '../environments/environment.service.ts'
import {
  changeDeploymentStatus,
  createDeployment,
  requireDeployment,
} from './deployment.service.ts'
import { viewDeployment, viewDeployments, viewLastDeployment } from './deployment-views.service.ts'

export const deploymentHandlers: Handlers<typeof deploymentsContract> = {
  async list(call) {
    const { app, subject, query, page } = call
    const { order_by: by, sort: direction, environment, status } = query
    const { updated_after: updatedAfter, updated_before: updatedBefore } = query
    const projectId = subject.row.id
    const times = { updatedAfter, updatedBefore }
    const filter = { projectId, environment: environment || undefined, status, ...times }
    const found = await listDeployments(app.db, filter, { by, direction }, page)
    return { ...found, items: await viewDeployments(call, found.items) }
  },

  async show(call) {
    const { app, subject, params } = call
    return viewDeployment(call, await requireDeployment(app, subject.row.id, params.deployment_id))
  },

  async create(call) {
    const { app, subject, caller, body } = call
    return viewDeployment(call, await createDeployment(app, subject, caller, body))
  },

  async update(call) {
    const { app, subject, caller, params, body } = call
    const deployment = await requireDeployment(app, subject.row.id, params.deployment_id)
    return viewDeployment(call, await changeDeploymentStatus(app, deployment, caller, body.status))
  },
}

/** The handler of a single environment, which shows its last deployment. */
export const environmentDetailHandlers: Pick<Handlers<typeof environmentsContract>, 'show'> = {
  async show(call) {
    const { app, subject, params } = call
    const environment = await requireEnvironment(app, subject.row.id, params.environment_id)
    const last = await findLastDeployment(app.db, environment.id)
    return {
      ...presentEnvironment(environment),
      last_deployment: await viewLastDeployment(call, last),
    }
  },
}
