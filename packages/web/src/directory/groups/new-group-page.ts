import { AccessLevel, type GroupDetails } from '@stithy/core'
import { buttonLink } from '../../platform/design/button.ts'
import { card } from '../../platform/design/card.ts'
import { csrfField, errorSummary, textArea, textField } from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import { type FailedForm, FormView, fieldIds } from '../../platform/forms/form-view.ts'
import { submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { isAdministrator, type PageCall } from '../../platform/pages/page-call.ts'
import { forbidden } from '../../platform/pages/refusal.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { address } from '../../platform/text/addresses.ts'
import { chosenVisibility, visibilityField } from '../namespaces/visibility-field.ts'
import { loadGroup } from './group-place.ts'

const name = 'group'
const fields = ['name', 'path', 'description', 'visibility', 'parent_id']

/** `GET /groups/new`: the form; `parent_id` makes it a subgroup. */
export function showNewGroup(call: PageCall): Promise<Reply> {
  return showForm(call, call.query.get('parent_id') ?? '')
}

/**
 * Whether the viewer may create a group, or a group in another one.
 * @throws StithyError as the API refuses it
 */
export async function mayCreateGroup(call: PageCall): Promise<void> {
  await call.permits.groups.create()
  const parent = parentIdOf(call.query.get('parent_id') ?? '')
  const viewer = await call.viewer()
  if (isAdministrator(viewer)) return
  if (parent === undefined) {
    if (viewer?.can_create_group !== true) throw forbidden()
    return
  }
  const { accessLevel } = await loadGroup({ ...call, params: { group: String(parent) } })
  if (accessLevel < AccessLevel.owner) throw forbidden()
}

/** `POST /groups`. */
export async function createGroup(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const parentId = form.number('parent_id')
  const title = form.text('name').trim()
  const visibility = chosenVisibility(form.text('visibility'))
  const created = await submit(
    client.groups.create({
      name: title,
      path: form.optionalText('path') ?? pathOf(title),
      description: form.text('description'),
      ...(visibility === undefined ? {} : { visibility }),
      ...(parentId === undefined ? {} : { parent_id: parentId }),
    }),
    fieldIds(name, fields),
  )
  if (created.ok) return redirect(address(created.value.full_path))
  return showForm(call, String(parentId ?? ''), {
    name,
    form,
    formErrors: created.formErrors,
  })
}

/** A path from a name, as people would write it: `My group` is `my-group`. */
function pathOf(text: string): string {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .split(/[^a-z0-9_.]+/)
  return words.filter((word) => word !== '').join('-')
}

function parentIdOf(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

async function showForm(call: PageCall, parentId: string, failed?: FailedForm): Promise<Reply> {
  const groupId = parentIdOf(parentId)
  const parent =
    groupId === undefined
      ? undefined
      : await call.client.groups.show({ groupId, with_projects: false })
  const title = parent === undefined ? 'New group' : 'New subgroup'
  return page({
    status: failed === undefined ? 200 : 422,
    title,
    body: html`${heading(title)}
${failed !== undefined && errorSummary(failed.formErrors)}
${card({ body: groupForm(call, parent, failed) })}`,
  })
}

function groupForm(
  call: PageCall,
  parent: GroupDetails | undefined,
  failed: FailedForm | undefined,
): Html {
  const view = new FormView(name, failed)
  const visibility = failed?.form.text('visibility') ?? parent?.visibility ?? 'private'
  const within = parent === undefined ? undefined : `It will be in ${parent.full_path}.`
  return html`<form method="post" action="/groups">${csrfField(call)}
${parent !== undefined && html`<input type="hidden" name="parent_id" value="${parent.id}">`}
${textField({ ...view.text('name'), label: 'Name', required: true, maxLength: 255, hint: within })}
${textField({ ...view.text('path'), label: 'Path (optional)', maxLength: 255, hint: 'What its address has; by default made of the name.' })}
${textArea({ ...view.text('description'), label: 'Description (optional)', rows: 3 })}
${visibilityField(visibility)}
<div class="buttons"><button class="primary">Create group</button> ${buttonLink(parent === undefined ? '/dashboard/groups' : address(parent.full_path), 'Cancel', 'quiet')}</div>
</form>`
}
