import type { CommitDetail, Project } from '@stithy/core'
import { csrfField, textField } from '../../platform/design/form-fields.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import type { RefusedForm } from './commit-forms.ts'

const replays = {
  cherry_pick: { title: 'Cherry-pick', text: 'Applies its changes to a branch.' },
  revert: { title: 'Revert', text: 'Takes its changes back on a branch.' },
} as const
type ReplayName = keyof typeof replays

/** The forms that cherry-pick and revert a commit. */
export function replayForms(
  call: PageCall,
  project: Project,
  commit: CommitDetail,
  refused: RefusedForm | undefined,
): Html {
  const names = Object.keys(replays) as ReplayName[]
  return html`<div class="row replays">${names.map((name) => replayForm(call, project, commit, name, refused))}</div>`
}

function replayForm(
  call: PageCall,
  project: Project,
  commit: CommitDetail,
  name: ReplayName,
  refused: RefusedForm | undefined,
): Html {
  const { title, text } = replays[name]
  const isMine = refused?.form.text('replay') === name
  const branch = isMine ? refused?.form.text('branch') : (project.default_branch ?? '')
  const action = projectAddress(project.path_with_namespace, 'commit', commit.id, name)
  return html`<details class="menu"${isMine && html` open`}><summary class="button">${title}</summary><div class="panel clone"><form method="post" action="${action}">${csrfField(call)}<input type="hidden" name="replay" value="${name}">
<p class="hint">${text}</p>${textField({ id: `${name}-branch`, name: 'branch', label: 'Branch', value: branch, required: true, formErrors: isMine ? (refused?.formErrors ?? []) : [] })}<button class="primary">${title} onto the branch</button></form></div></details>`
}
