import type { Namespace, Project } from '@stithy/core'
import { actionButton } from '../../../platform/design/button.ts'
import { card } from '../../../platform/design/card.ts'
import { csrfField, selectField, textField } from '../../../platform/design/form-fields.ts'
import { type FailedForm, FormView } from '../../../platform/forms/form-view.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { PageCall } from '../../../platform/pages/page-call.ts'
import { settingsAddress } from './settings-page.ts'

interface Advanced {
  call: PageCall
  project: Project
  /** Where the viewer may create projects. */
  namespaces: readonly Namespace[]
  failed: FailedForm | undefined
  /** Whether the viewer is an owner, as who transfers, archives and deletes it must be. */
  mayOwn: boolean
}

/** What changes where a project is, or whether it is. */
export function advancedSettings(advanced: Advanced): Html {
  return html`${card({ title: 'Housekeeping', body: housekeeping(advanced) })}
${card({ title: 'Path', body: pathForm(advanced) })}
${advanced.mayOwn && ownerSettings(advanced)}`
}

function ownerSettings(advanced: Advanced): Html {
  return html`${card({ title: 'Transfer', body: transferForm(advanced) })}
${card({ title: advanced.project.archived ? 'Unarchive' : 'Archive', body: archiving(advanced) })}
${card({ title: 'Delete', body: deletion(advanced) })}`
}

const actionOf = ({ project }: Advanced, name: string) =>
  settingsAddress(project.path_with_namespace, 'general', name)

function housekeeping(advanced: Advanced): Html {
  return html`<p>Packs the repository in the background, so that it takes less space and is read faster. The server does it by itself after many pushes.</p>
${actionButton(advanced.call, { action: actionOf(advanced, 'housekeeping'), text: 'Run housekeeping' })}`
}

function pathForm(advanced: Advanced): Html {
  const { project, failed, call } = advanced
  const view = new FormView('path', failed)
  return html`<form method="post" action="${actionOf(advanced, 'path')}">
${csrfField(call)}
${textField({ ...view.text('path', project.path), label: 'Path of the project', hint: `Behind ${project.namespace?.full_path ?? ''}/ in all addresses. Remotes of clones have to be changed.`, required: true, maxLength: 255 })}
<button>Change path</button>
</form>`
}

function transferForm(advanced: Advanced): Html {
  const { project, namespaces, failed, call } = advanced
  const view = new FormView('transfer', failed)
  const options = namespaces
    .filter(({ id }) => id !== project.namespace?.id)
    .map(({ full_path }) => ({ value: full_path, text: full_path }))
  if (options.length === 0) {
    return html`<p>There is no other namespace in which you may create projects.</p>`
  }
  return html`<form method="post" action="${actionOf(advanced, 'transfer')}">
${csrfField(call)}
${selectField({ ...view.text('namespace'), label: 'New namespace', hint: 'Its address changes, and those who are members through the present group are no longer.', options })}
<button class="danger">Transfer project</button>
</form>`
}

function archiving(advanced: Advanced): Html {
  const { project, call } = advanced
  const [name, text, about] = project.archived
    ? ['unarchive', 'Unarchive project', 'Everything can be changed again.']
    : ['archive', 'Archive project', 'An archived project can be read, but not changed.']
  return html`<p>${about}</p>${actionButton(call, { action: actionOf(advanced, name), text })}`
}

function deletion(advanced: Advanced): Html {
  const { project, failed, call } = advanced
  const path = project.path_with_namespace
  const view = new FormView('delete', failed)
  return html`<p>The repository, issues, merge requests and everything else of <strong>${path}</strong> are gone for good.</p>
<form method="post" action="${actionOf(advanced, 'delete')}">
${csrfField(call)}
${textField({ ...view.text('confirmation'), label: `Type ${path} to confirm`, required: true, autocomplete: 'off' })}
<button class="danger">Delete project</button>
</form>`
}
