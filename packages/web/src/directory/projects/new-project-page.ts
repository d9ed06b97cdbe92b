import type { Namespace } from '@stithy/core'
import { buttonLink } from '../../platform/design/button.ts'
import { card } from '../../platform/design/card.ts'
import {
  checkbox,
  csrfField,
  errorSummary,
  selectField,
  textArea,
  textField,
} from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import { type FailedForm, FormView, fieldIds } from '../../platform/forms/form-view.ts'
import { submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { forbidden } from '../../platform/pages/refusal.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { listOpenNamespaces, listTargetNamespaces } from '../namespaces/target-namespaces.ts'
import { chosenVisibility, visibilityField } from '../namespaces/visibility-field.ts'

const name = 'project'
const fields = ['name', 'path', 'namespace_id', 'description', 'import_url']

/** `GET /projects/new`: the form; `namespace_id` chooses where the project will be. */
export async function showNewProject(call: PageCall): Promise<Reply> {
  return showForm(call, call.query.get('namespace_id') ?? '')
}

/** `POST /projects`. */
export async function createProject(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const namespaceId = form.number('namespace_id')
  const path = form.optionalText('path')
  const importUrl = form.optionalText('import_url')
  const visibility = chosenVisibility(form.text('visibility'))
  const created = await submit(
    client.projects.create({
      name: form.text('name').trim(),
      description: form.text('description'),
      initialize_with_readme: importUrl === undefined && form.isChecked('initialize_with_readme'),
      ...(path === undefined ? {} : { path }),
      ...(importUrl === undefined ? {} : { import_url: importUrl }),
      ...(namespaceId === undefined ? {} : { namespace_id: namespaceId }),
      ...(visibility === undefined ? {} : { visibility }),
    }),
    fieldIds(name, fields),
  )
  if (created.ok) return redirect(projectAddress(created.value.path_with_namespace))
  const failed = { name, form, formErrors: created.formErrors }
  return showForm(call, String(namespaceId ?? ''), failed)
}

async function showForm(call: PageCall, wanted: string, failed?: FailedForm): Promise<Reply> {
  const { open, own } = await listOpenNamespaces(call)
  const isListed = open.some(({ id }) => String(id) === wanted)
  const more = isListed || !/^\d{1,15}$/.test(wanted) ? [] : [await loadTarget(call, wanted)]
  const namespaces = [...more, ...open]
  const isFull = own !== undefined && !open.includes(own)
  const isRefused = isFull && failed === undefined && wanted === String(own.id)
  if (namespaces.length === 0 || isRefused) throw forbidden()
  const choice = { namespaces, chosen: wanted || String(own?.id ?? '') }
  return page({
    status: failed === undefined ? 200 : 422,
    title: 'New project',
    body: html`${heading('New project')}
${failed !== undefined && errorSummary(failed.formErrors)}
${card({ body: projectForm(call, choice, failed) })}`,
  })
}

/** A namespace that the address names, beyond those that are listed. */
async function loadTarget(call: PageCall, wanted: string): Promise<Namespace> {
  const found = await call.client.namespaces.show({ namespaceId: Number(wanted) })
  const targets = await listTargetNamespaces(call, found.full_path)
  if (!targets.some(({ id }) => id === found.id)) throw forbidden()
  return found
}

interface NamespaceChoice {
  namespaces: readonly Namespace[]
  /** An id. */
  chosen: string
}

function projectForm(
  call: PageCall,
  { namespaces, chosen }: NamespaceChoice,
  failed: FailedForm | undefined,
): Html {
  const view = new FormView(name, failed)
  const options = namespaces.map(({ id, full_path: path }) => ({ value: String(id), text: path }))
  return html`<form method="post" action="/projects">${csrfField(call)}
${textField({ ...view.text('name'), label: 'Name', required: true, maxLength: 255 })}
${selectField({ ...view.text('namespace_id', chosen), label: 'Where', hint: 'Your own namespace, or a group.', options })}
${textField({ ...view.text('path'), label: 'Path (optional)', maxLength: 255, hint: 'What its address has; by default made of the name.' })}
${textArea({ ...view.text('description'), label: 'Description (optional)', rows: 3 })}
${visibilityField(failed?.form.text('visibility') ?? 'private')}
${checkbox({ ...view.check('initialize_with_readme', failed === undefined), label: 'Begin with a README', hint: 'So that the project can be cloned at once. Leave it out to push a repository that you have.' })}
${textField({ ...view.text('import_url'), label: 'Import from (optional)', type: 'url', maxLength: 2048, placeholder: 'https://', hint: 'The address of a git repository, whose branches and tags are copied.' })}
<div class="buttons"><button class="primary">Create project</button> ${buttonLink('/dashboard/projects', 'Cancel', 'quiet')}</div>
</form>`
}
