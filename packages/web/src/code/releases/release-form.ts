import { AccessLevel, type Project, type Release } from '@stithy/core'
import { changeLevel } from '../../directory/projects/project-place.ts'
import { card } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { csrfField, errorSummary, textArea, textField } from '../../platform/design/form-fields.ts'
import { row, rows } from '../../platform/design/lists.ts'
import type { Form } from '../../platform/forms/form.ts'
import type { FormError } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { projectAddress } from '../../platform/text/addresses.ts'

export interface ReleaseFormState {
  /** The one that is edited; absent for a new one. */
  release?: Release
  form?: Form
  formErrors?: readonly FormError[]
}

/** The forms of a release: of its texts and, once it exists, of its links and its deletion. */
export function releaseForm(call: PageCall, project: Project, state: ReleaseFormState): Html {
  const { release, formErrors = [] } = state
  const path = project.path_with_namespace
  return html`${errorSummary(formErrors)}${card({ body: textsForm(call, project, state) })}
${release !== undefined && linksCard(call, path, release, state)}
${release !== undefined && changeLevel(project) >= AccessLevel.maintainer && deletion(call, path, release)}`
}

function textsForm(call: PageCall, project: Project, state: ReleaseFormState): Html {
  const { release, form, formErrors = [] } = state
  const path = project.path_with_namespace
  const self = projectAddress(path, 'releases')
  const isLink = form?.text('intent') === 'add_link'
  const value = (name: string, stored = '') =>
    (isLink ? undefined : form?.text(name)) ?? call.query.get(name) ?? stored
  const tag =
    release === undefined
      ? html`${textField({ id: 'tag_name', label: 'Tag', value: value('tag_name'), required: true, formErrors, hint: 'One that exists, or a new one.' })}
${textField({ id: 'ref', label: 'A new tag is made of', value: value('ref', project.default_branch ?? ''), formErrors, hint: 'A branch or commit; not needed for a tag that exists.' })}`
      : html`<input type="hidden" name="tag_name" value="${release.tag_name}">`
  return html`<form method="post" action="${self}">${csrfField(call)}<input type="hidden" name="intent" value="${release === undefined ? 'create' : 'update'}">
${tag}
${textField({ id: 'name', label: 'Title', value: value('name', release?.name), formErrors })}
${textArea({ id: 'description', label: 'Notes', value: value('description', release?.description ?? ''), format: 'markdown', rows: 10, formErrors })}
<div class="buttons"><button class="primary">${release === undefined ? 'Create release' : 'Save changes'}</button> <a href="${self}">Cancel</a></div></form>`
}

function linksCard(
  call: PageCall,
  path: string,
  release: Release,
  { form, formErrors = [] }: ReleaseFormState,
): Html {
  const action = projectAddress(path, 'releases')
  const tag = release.tag_name ?? ''
  const shown = form?.text('intent') === 'add_link' ? form : undefined
  const list = release.assets.links.map(({ id, name, url }) =>
    row({
      title: html`<a href="${url}" rel="nofollow noreferrer">${name}</a>`,
      details: html`${url}`,
      end: confirmation(call, {
        action,
        text: 'Remove',
        label: `Remove ${name}`,
        question: `Remove ${name}?`,
        values: { intent: 'delete_link', tag_name: tag, link_id: id },
      }),
    }),
  )
  return card({
    title: 'Links to files',
    body: html`${list.length > 0 && rows(list)}<form method="post" action="${action}">${csrfField(call)}<input type="hidden" name="intent" value="add_link"><input type="hidden" name="tag_name" value="${tag}">
${textField({ id: 'link-name', label: 'Name', value: shown?.text('link-name') ?? '', required: true, formErrors })}
${textField({ id: 'link-url', label: 'URL', type: 'url', value: shown?.text('link-url') ?? '', required: true, formErrors })}
<div class="buttons"><button>Add link</button></div></form>`,
  })
}

function deletion(call: PageCall, path: string, { tag_name: tag = '', name }: Release): Html {
  return confirmation(call, {
    action: projectAddress(path, 'releases'),
    text: 'Delete release',
    question: `Delete ${name}? The tag is kept.`,
    values: { intent: 'delete', tag_name: tag },
    look: 'danger',
  })
}
