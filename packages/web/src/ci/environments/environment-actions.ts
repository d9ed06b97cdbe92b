import { fieldIds } from '../../platform/forms/form-view.ts'
import { type Submission, submit } from '../../platform/forms/submit.ts'
import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { environmentFormName } from './environment-form.ts'
import { environmentList, environmentPage } from './environment-pages.ts'

const ids = fieldIds(environmentFormName, ['name', 'external_url'])

const valuesOf = ({ form }: PageCall) => ({
  name: form.text('name').trim(),
  external_url: form.text('external_url').trim(),
})

/** `POST /<project>/-/environments`. */
export async function createEnvironment(call: PageCall): Promise<Reply> {
  const projectId = projectPath(call)
  const created = await submit(
    call.client.environments.create({ projectId, ...valuesOf(call) }),
    ids,
  )
  if (created.ok) return redirect(projectAddress(projectId, 'environments', created.value.id))
  const { formErrors } = created
  return environmentList(call, { name: environmentFormName, form: call.form, formErrors })
}

function answer(call: PageCall, submission: Submission<unknown>): Promise<Reply> {
  if (submission.ok) {
    const target = projectAddress(projectPath(call), 'environments', rowId(call))
    return Promise.resolve(redirect(target))
  }
  const { formErrors } = submission
  return environmentPage(call, { name: environmentFormName, form: call.form, formErrors })
}

/** `POST /<project>/-/environments/:id`. */
export async function saveEnvironment(call: PageCall): Promise<Reply> {
  const values = { projectId: projectPath(call), environmentId: rowId(call), ...valuesOf(call) }
  return answer(call, await submit(call.client.environments.update(values), ids))
}

/** `POST /<project>/-/environments/:id/stop`. */
export async function stopEnvironment(call: PageCall): Promise<Reply> {
  const environment = { projectId: projectPath(call), environmentId: rowId(call) }
  return answer(call, await submit(call.client.environments.stop(environment)))
}

/** `POST /<project>/-/environments/:id/delete`. */
export async function deleteEnvironment(call: PageCall): Promise<Reply> {
  const environment = { projectId: projectPath(call), environmentId: rowId(call) }
  await call.client.environments.delete(environment)
  return redirect(projectAddress(projectPath(call), 'environments'))
}
