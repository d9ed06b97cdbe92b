import { featureLevels, type Project, visibilities } from '@stithy/core'
import { card } from '../../../platform/design/card.ts'
import {
  checkbox,
  csrfField,
  radioGroup,
  selectField,
  textArea,
  textField,
} from '../../../platform/design/form-fields.ts'
import type { Form } from '../../../platform/forms/form.ts'
import { type FailedForm, FormView } from '../../../platform/forms/form-view.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { PageCall } from '../../../platform/pages/page-call.ts'
import { settingsAddress } from './settings-page.ts'

export const generalForm = 'project'

/** Name, description, topics and picture of a project. */
export function generalFields(
  call: PageCall,
  project: Project,
  failed: FailedForm | undefined,
): Html {
  const view = new FormView(generalForm, failed)
  const path = project.path_with_namespace
  return card({
    title: 'Name and description',
    body: html`<form method="post" action="${settingsAddress(path, 'general')}" enctype="multipart/form-data">
${csrfField(call)}
${textField({ ...view.text('name', project.name), label: 'Name', required: true, maxLength: 255 })}
${textArea({ ...view.text('description', project.description), label: 'Description', rows: 3 })}
${textField({ ...view.text('tag_list', project.tag_list.join(', ')), label: 'Topics', hint: 'Separated by commas.' })}
${textField({ id: 'project-avatar', name: 'avatar', type: 'file', label: 'Picture', hint: 'An image of at most 200 KB. It stays as it is without a file.' })}
<div class="buttons"><button class="primary">Save changes</button></div>
</form>`,
  })
}

/** What the form of the name and description sends. */
export function generalValues(form: Form) {
  const avatar = form.file('avatar')
  return {
    name: form.text('name'),
    description: form.text('description'),
    tag_list: form.text('tag_list'),
    ...(avatar === undefined ? {} : { avatar }),
  }
}

export const accessForm = 'access'

const visibilityOptions = [
  { value: 'private', text: 'Private', hint: 'Members alone see the project.' },
  { value: 'internal', text: 'Internal', hint: 'Everybody who is signed in sees it.' },
  { value: 'public', text: 'Public', hint: 'Everybody sees it, without an account as well.' },
] as const

const levelOptions = [
  { value: 'enabled', text: 'Everybody who sees the project' },
  { value: 'private', text: 'Members of the project' },
  { value: 'disabled', text: 'Nobody' },
] as const

const features = {
  issues_access_level: 'Issues',
  repository_access_level: 'Repository',
  merge_requests_access_level: 'Merge requests',
  builds_access_level: 'CI/CD',
  wiki_access_level: 'Wiki',
  snippets_access_level: 'Snippets',
} as const

const switches = {
  request_access_enabled: 'Users may ask for access',
  lfs_enabled: 'Large files with Git LFS',
  container_registry_enabled: 'Container registry',
  packages_enabled: 'Packages',
} as const

type FeatureName = keyof typeof features
type SwitchName = keyof typeof switches

const featureNames = Object.keys(features) as FeatureName[]
const switchNames = Object.keys(switches) as SwitchName[]

/** Who sees a project, and each of its features. */
export function accessFields(
  call: PageCall,
  project: Project,
  failed: FailedForm | undefined,
): Html {
  const view = new FormView(accessForm, failed)
  const selects = featureNames.map((name) =>
    selectField({
      ...view.text(name, project[name]),
      label: features[name],
      options: levelOptions,
    }),
  )
  // What the tier of the server lacks isn't shown by the API.
  const checks = switchNames
    .filter((name) => project[name] !== undefined)
    .map((name) => checkbox({ ...view.check(name, project[name]), label: switches[name] }))
  return card({
    title: 'Visibility and features',
    id: 'visibility',
    body: html`<form method="post" action="${settingsAddress(project.path_with_namespace, 'general', 'access')}">
${csrfField(call)}
${radioGroup({ name: 'visibility', legend: 'Visibility', options: visibilityOptions, value: view.text('visibility', project.visibility).value })}
<div class="pair">${selects}</div>
<fieldset><legend>More</legend>${checks}</fieldset>
<div class="buttons"><button class="primary">Save visibility and features</button></div>
</form>`,
  })
}

type ProjectValues = Partial<Pick<Project, 'visibility' | FeatureName | SwitchName>>

/**
 * What the form of the visibility sends. What has not changed is left out, because owners alone may change the
 * visibility.
 */
export function accessValues(form: Form, project: Project): ProjectValues {
  const visibility = form.word('visibility', visibilities)
  const values: ProjectValues = {}
  if (visibility !== undefined && visibility !== project.visibility) values.visibility = visibility
  for (const name of featureNames) {
    const level = form.word(name, featureLevels)
    if (level !== undefined) values[name] = level
  }
  for (const name of switchNames) {
    if (project[name] !== undefined) values[name] = form.isChecked(name)
  }
  return values
}
