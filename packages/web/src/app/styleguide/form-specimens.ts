import {
  checkbox,
  errorSummary,
  fieldLabel,
  radioGroup,
  selectField,
  type TextField,
  textArea,
  textField,
} from '../../platform/design/form-fields.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { type Family, specimen, specimenAddress } from './specimen.ts'

const options = [
  { value: 'private', text: 'Private', hint: 'For members alone.' },
  { value: 'public', text: 'Public', hint: 'For everybody.' },
]

/** Fields of forms, and how they say what is wrong. */
export function formSpecimens(): Family {
  return {
    id: 'forms',
    title: 'Forms',
    specimens: [
      specimen('Fields', form('Fields', fields('plain'))),
      specimen('Required field', form('Required field', requiredField)),
      specimen('Disabled fields', form('Disabled fields', disabledFields())),
      specimen('Refused form', form('Refused form', refusedFields)),
      specimen('Kinds of text fields', form('Kinds of text fields', html`${types.map(typed)}`)),
      specimen('Text in Markdown', form('Text in Markdown', texts)),
      specimen('Fields in one line', line),
    ],
  }
}

function form(name: string, body: Html): Html {
  return html`<form action="${specimenAddress}" aria-label="${name}">${body}</form>`
}

/** @param id the beginning of the ids of the fields */
function fields(id: string): Html {
  return html`${textField({ id: `${id}-name`, label: 'Name', value: 'App', hint: 'As it is shown.' })}
${selectField({ id: `${id}-role`, label: 'Role', options: [{ value: '30', text: 'Developer' }], value: '30' })}
${textArea({ id: `${id}-about`, label: 'Description', value: 'What it is for.', rows: 3 })}
${radioGroup({ name: `${id}-visibility`, legend: 'Visibility', options, value: 'private' })}
${checkbox({ id: `${id}-wiki`, label: 'Wiki', hint: 'Pages for everybody.', isChecked: true })}
${checkbox({ id: `${id}-pages`, label: 'Snippets' })}
<div class="buttons"><button class="primary">Save</button> <a href="${specimenAddress}">Cancel</a></div>`
}

const requiredField = html`${textField({ id: 'required-title', label: 'Title', required: true })}
${fieldLabel({ id: 'required-project', label: 'Project', required: true })}<div class="row"><input class="grow" id="required-project" required><button>Move</button></div>`

function disabledFields(): Html {
  return html`<fieldset disabled><legend>Until the import has ended</legend>${fields('disabled')}</fieldset>`
}

const formErrors = [
  { field: 'refused-path', text: 'The path is already taken.' },
  { field: 'refused-role', text: 'The role must be chosen.' },
  { field: 'refused-about', text: 'The description is too long.' },
]

const refusedFields = html`${errorSummary(formErrors)}
${textField({ id: 'refused-path', label: 'Path', value: 'app', hint: 'Part of the address.', formErrors })}
${selectField({ id: 'refused-role', label: 'Role', options: [{ value: '', text: 'Choose a role' }], formErrors })}
${textArea({ id: 'refused-about', label: 'Description', rows: 3, formErrors })}`

const types: readonly NonNullable<TextField['type']>[] = [
  'text',
  'secret',
  'password',
  'date',
  'number',
  'email',
  'url',
  'search',
  'file',
]

function typed(type: NonNullable<TextField['type']>): Html {
  return textField({ id: `type-${type}`, label: type, type, autocomplete: 'off' })
}

const texts = html`${textArea({ id: 'text-markdown', label: 'Comment', format: 'markdown', rows: 4 })}
${textArea({ id: 'text-code', label: 'Contents', format: 'code', rows: 3, value: 'let greeting' })}
${textField({ id: 'text-branch', label: 'Branch', suggestions: ['main', 'topic'] })}
${textField({ id: 'text-empty', label: 'Milestone', placeholder: 'None' })}`

const line = html`<form class="line" action="${specimenAddress}" aria-label="Fields in one line">
${textField({ id: 'line-user', label: 'User' })}
${textField({ id: 'line-date', label: 'Expires', type: 'date' })}<button>Invite</button></form>`
