import { actionButton, type ButtonKind, buttonLink } from '../../platform/design/button.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { icon } from '../../platform/design/icon.ts'
import { menu } from '../../platform/design/navigation.ts'
import { html } from '../../platform/html/html.ts'
import { type Family, type SpecimenCall, specimen, specimenAddress } from './specimen.ts'

const kinds: readonly (readonly [ButtonKind, string])[] = [
  ['', 'Default'],
  ['primary', 'Primary'],
  ['danger', 'Danger'],
  ['quiet', 'Quiet'],
]

/** Buttons, menus and what asks before it acts. */
export function actionSpecimens(call: SpecimenCall): Family {
  const action = specimenAddress
  return {
    id: 'actions',
    title: 'Buttons and menus',
    specimens: [
      specimen(
        'Buttons',
        html`<div class="row">${kinds.map(([kind, text]) => actionButton(call, { action, text, kind }))}</div>`,
      ),
      specimen(
        'Disabled buttons',
        html`<div class="row">${kinds.map(([kind, text]) => html`<button class="${kind}" disabled>${text}</button>`)}</div>`,
      ),
      specimen(
        'Links as buttons, with icons',
        html`<div class="row">${kinds.map(([kind, text]) => buttonLink(action, html`${icon('plus')} ${text}`, kind))}</div>`,
      ),
      specimen(
        'Confirmation',
        html`<div class="row">${(['danger', 'quiet'] as const).map((look) =>
          confirmation(call, { action, text: 'Delete', question: 'Delete the branch?', look }),
        )}</div>`,
      ),
      specimen('Menus', menus(call)),
    ],
  }
}

function menus(call: SpecimenCall) {
  const items = [
    html`<a href="${specimenAddress}">A link</a>`,
    html`<a href="${specimenAddress}" aria-current="true">${icon('check')} A choice that is made</a>`,
    actionButton(call, { action: specimenAddress, text: 'A button' }),
  ]
  return html`<div class="row">${menu({ summary: 'Menu', items, align: 'start' })}
${menu({ summary: icon('kebab-horizontal'), label: 'Actions', items, align: 'start', look: 'plain' })}</div>`
}
