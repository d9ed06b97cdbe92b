import { AccessLevel, type Member } from '@stithy/core'
import { card } from '../../platform/design/card.ts'
import { csrfField, selectField, textField } from '../../platform/design/form-fields.ts'
import { type FailedForm, FormView } from '../../platform/forms/form-view.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { levelOptions } from './access-levels.ts'
import type { MemberSource } from './member-source.ts'

/** Names of the forms of the page. */
export const forms = { add: 'add', share: 'share', change: (id: number | string) => `member-${id}` }

/** Adds a user by username or e-mail address. */
export function addMemberForm(
  call: PageCall,
  source: MemberSource,
  failed: FailedForm | undefined,
): Html {
  const view = new FormView(forms.add, failed)
  return card({
    title: 'Add a member',
    body: html`<form class="line" method="post" action="${source.address}">${csrfField(call)}
${textField({ ...view.text('user'), label: 'Username or e-mail address', required: true, maxLength: 255, autocomplete: 'off' })}
${levelAndExpiry(view, source.levels, AccessLevel.developer)}
<button class="primary">Add member</button>
</form>`,
  })
}

/** Gives the members of another group access. */
export function shareForm(
  call: PageCall,
  source: MemberSource,
  failed: FailedForm | undefined,
): Html {
  const view = new FormView(forms.share, failed)
  return html`<form class="line" method="post" action="${source.address}/shares">${csrfField(call)}
${textField({ ...view.text('group'), label: 'Path of a group', required: true, maxLength: 255, autocomplete: 'off' })}
${levelAndExpiry(view, source.levels, AccessLevel.developer, 'At most')}
<button>Give access</button>
</form>`
}

/** Changes the level and the last day of a member. */
export function changeMemberForm(
  call: PageCall,
  source: MemberSource,
  member: Member,
  failed: FailedForm | undefined,
): Html {
  const name = forms.change(member.id)
  const view = new FormView(name, failed)
  return html`<details class="confirm"${failed?.name === name && html` open`}><summary class="button quiet" aria-label="Change ${member.name}">Change</summary>
<form class="line" method="post" action="${source.address}/${member.id}/update">${csrfField(call)}
${levelAndExpiry(view, source.levels, member.access_level, 'Role', member.expires_at)}
<button>Save</button>
</form></details>`
}

function levelAndExpiry(
  view: FormView,
  levels: readonly number[],
  level: number,
  label = 'Role',
  expiry: string | null = null,
): Html {
  return html`${selectField({ ...view.text('access_level', level), label, options: levelOptions(levels) })}
${textField({ ...view.text('expires_at', expiry), label: 'Last day (optional)', type: 'date' })}`
}
