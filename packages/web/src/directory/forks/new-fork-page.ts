import type { Namespace, Project } from '@stithy/core'
import { card } from '../../platform/design/card.ts'
import {
  csrfField,
  errorSummary,
  type Option,
  radioGroup,
  selectField,
  textField,
} from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import type { Form } from '../../platform/forms/form.ts'
import { type FormError, submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { forbidden } from '../../platform/pages/refusal.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { localPath, projectAddress } from '../../platform/text/addresses.ts'
import { listOpenNamespaces } from '../namespaces/target-namespaces.ts'
import { loadProject, projectPlace } from '../projects/project-place.ts'

/** `GET /<project>/-/forks/new`: where to, and how the copy is called. */
export function showNewFork(call: PageCall): Promise<Reply> {
  return showForm(call, {})
}

/** `POST /<project>/-/forks`: forks the project, and leads to the fork. */
export async function createFork(call: PageCall): Promise<Reply> {
  const { client, form, params } = call
  const namespace = form.number('namespace_id')
  const [name, path] = [form.optionalText('name'), form.optionalText('path')]
  const visibility = visibilities.find((each) => each === form.text('visibility'))
  const forked = await submit(
    client.projects.fork({
      projectId: params.project ?? '',
      ...(namespace === undefined ? {} : { namespace_id: namespace }),
      ...(name === undefined ? {} : { name }),
      ...(path === undefined ? {} : { path }),
      ...(visibility === undefined ? {} : { visibility }),
    }),
    { name: 'name', path: 'path', namespace: 'namespace_id', namespace_id: 'namespace_id' },
  )
  return forked.ok
    ? redirect(localPath(forked.value.web_url))
    : showForm(call, { form, formErrors: forked.formErrors })
}

const visibilities = ['private', 'internal', 'public'] as const

interface FormState {
  form?: Form
  formErrors?: readonly FormError[]
}

async function showForm(call: PageCall, { form, formErrors = [] }: FormState): Promise<Reply> {
  const [project, { open: namespaces }] = await loadAll([
    loadProject(call),
    listOpenNamespaces(call),
  ])
  if (namespaces.length === 0) throw forbidden()
  const path = project.path_with_namespace
  return page({
    status: formErrors.length > 0 ? 422 : 200,
    title: `Fork ${path}`,
    place: projectPlace(project, 'code'),
    body: html`${heading(`Fork ${project.name}`)}${errorSummary(formErrors)}
<p>A fork is a copy with the same branches and tags. Push changes to it, then open a merge request.</p>
${card({ body: forkForm(call, { project, namespaces, form, formErrors }) })}`,
  })
}

interface ForkForm {
  project: Project
  namespaces: readonly Namespace[]
  form: Form | undefined
  formErrors: readonly FormError[]
}

function forkForm(call: PageCall, { project, namespaces, form, formErrors }: ForkForm): Html {
  const value = (name: string, initial: string) => form?.text(name) ?? initial
  const options = namespaces.map(({ id, full_path: text }): Option => ({ value: String(id), text }))
  return html`<form method="post" action="${projectAddress(project.path_with_namespace, 'forks')}">
${csrfField(call)}
${selectField({ id: 'namespace_id', label: 'Into', hint: 'Your own namespace, or a group in which you may create projects.', options, value: value('namespace_id', options[0]?.value ?? ''), formErrors })}
${textField({ id: 'name', label: 'Name', value: value('name', project.name), maxLength: 255, formErrors })}
${textField({ id: 'path', label: 'Path', hint: 'The last part of its address.', value: value('path', project.path), maxLength: 255, formErrors })}
${radioGroup({ name: 'visibility', legend: 'Who can see it', options: visibilityOptions(project), value: value('visibility', project.visibility ?? 'private') })}
<div class="buttons"><button class="primary">Fork project</button> <a href="${projectAddress(project.path_with_namespace)}">Cancel</a></div>
</form>`
}

/** A fork is never more visible than what it was forked from. */
function visibilityOptions({ visibility = 'public' }: Project) {
  const all = [
    { value: 'private', text: 'Private', hint: 'Members alone.' },
    { value: 'internal', text: 'Internal', hint: 'Everyone who is signed in.' },
    { value: 'public', text: 'Public', hint: 'Everyone.' },
  ]
  return all.slice(0, visibilities.indexOf(visibility) + 1)
}
