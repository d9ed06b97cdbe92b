import type { Project } from '@stithy/core'
import { fieldIds } from '../../../platform/forms/form-view.ts'
import { type Submission, submit } from '../../../platform/forms/submit.ts'
import { type PageCall, projectPath } from '../../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../../platform/pages/reply.ts'
import { accessForm, accessValues, generalForm, generalValues } from './general-form.ts'
import { generalSettings } from './general-settings-page.ts'
import { loadManagedProject, settingsAddress } from './settings-page.ts'

const pathOf = (call: PageCall) => projectPath(call)

/** Shows the settings of the project, or the form again. */
async function answer(
  call: PageCall,
  name: string,
  submission: Submission<Project>,
): Promise<Reply> {
  if (submission.ok) {
    return redirect(settingsAddress(submission.value.path_with_namespace, 'general'))
  }
  return generalSettings(call, { name, form: call.form, formErrors: submission.formErrors })
}

/** `POST /<project>/-/edit`: name, description, topics, picture. */
export async function saveGeneralSettings(call: PageCall): Promise<Reply> {
  const fields = fieldIds(generalForm, ['name', 'description', 'tag_list', 'avatar'])
  const values = generalValues(call.form)
  const saved = await submit(
    call.client.projects.update({ projectId: pathOf(call), ...values }),
    fields,
  )
  return answer(call, generalForm, saved)
}

/** `POST /<project>/-/edit/access`: visibility and features. */
export async function saveAccess(call: PageCall): Promise<Reply> {
  const project = await loadManagedProject(call)
  const values = accessValues(call.form, project)
  const saved = await submit(call.client.projects.update({ projectId: project.id, ...values }), {
    visibility_level: 'visibility-private',
  })
  return answer(call, accessForm, saved)
}

/** `POST /<project>/-/edit/path`. */
export async function renameProject(call: PageCall): Promise<Reply> {
  const values = { projectId: pathOf(call), path: call.form.text('path') }
  return answer(
    call,
    'path',
    await submit(call.client.projects.update(values), fieldIds('path', ['path'])),
  )
}

/** `POST /<project>/-/edit/transfer`. */
export async function transferProject(call: PageCall): Promise<Reply> {
  const values = { projectId: pathOf(call), namespace: call.form.text('namespace') }
  return answer(
    call,
    'transfer',
    await submit(call.client.projects.transfer(values), fieldIds('transfer', ['namespace'])),
  )
}

/** `POST /<project>/-/edit/archive`. */
export async function archiveProject(call: PageCall): Promise<Reply> {
  const values = { projectId: pathOf(call) }
  return answer(call, 'archive', await submit(call.client.projects.archive(values)))
}

/** `POST /<project>/-/edit/unarchive`. */
export async function unarchiveProject(call: PageCall): Promise<Reply> {
  const values = { projectId: pathOf(call) }
  return answer(call, 'unarchive', await submit(call.client.projects.unarchive(values)))
}

/** `POST /<project>/-/edit/housekeeping`. */
export async function startHousekeeping(call: PageCall): Promise<Reply> {
  const project = pathOf(call)
  const started = await submit(call.client.projects.housekeeping.start({ projectId: project }))
  if (started.ok) return redirect(settingsAddress(project, 'general'))
  return generalSettings(call, { name: 'housekeeping', form: call.form, ...started })
}

/** `POST /<project>/-/edit/delete`: only with the path of the project typed. */
export async function deleteProject(call: PageCall): Promise<Reply> {
  const project = await loadManagedProject(call)
  const path = project.path_with_namespace
  const refused = (formErrors: { field: string; text: string }[]) =>
    generalSettings(call, { name: 'delete', form: call.form, formErrors }, project)
  if (call.form.text('confirmation').trim() !== path) {
    return refused([{ field: 'delete-confirmation', text: `Type ${path} to delete the project.` }])
  }
  const deleted = await submit(call.client.projects.delete({ projectId: project.id }))
  return deleted.ok ? redirect('/projects') : refused(deleted.formErrors)
}
