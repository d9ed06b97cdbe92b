import { fieldMeta, type SettingName, settingOf } from '@stithy/core'
import type { Form } from '../../platform/forms/form.ts'
import type { FormError } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'

/** How a setting is edited; `list` has a line for each element. */
type Control = 'checkbox' | 'text' | 'list' | 'lines' | 'secret' | 'number' | { words: string[] }

/** Texts that are longer are edited in several lines. */
const longText = 4096

/**
 * Secrets are hidden by the style sheet: browsers take several password inputs for several forms of
 * sign-in, warn about them, and offer to remember them.
 */
const attributes = {
  text: '',
  number: html` inputmode="decimal"`,
  secret: html` class="secret" spellcheck="false"`,
} as const

function controlOf(name: SettingName): Control {
  const { field, secret } = settingOf(name)
  if (secret) return 'secret'
  const wire = fieldMeta(field)?.wire ?? {}
  const types = [wire.type].flat()
  if (types.includes('boolean')) return 'checkbox'
  if (types.includes('array')) return 'list'
  if (wire.enum !== undefined) return { words: wire.enum.map((word) => String(word ?? '')) }
  if (types.includes('integer') || types.includes('number')) return 'number'
  return (wire.maxLength ?? 0) > longText ? 'lines' : 'text'
}

/** The field of a form for a setting, with its description. */
export function settingField(
  name: SettingName,
  value: unknown,
  formErrors: readonly FormError[],
): Html {
  const { about, restart } = settingOf(name)
  const control = controlOf(name)
  const hint = html`<p class="hint" id="${name}-hint">${withCode(about)}${restart && ' Takes effect at the next start.'}</p>`
  if (control === 'checkbox') {
    return html`<div class="choice field"><input type="checkbox" id="${name}" name="${name}" value="1"${value === true && html` checked`} aria-describedby="${name}-hint">
<div><label for="${name}"><code>${name}</code></label>${hint}</div></div>`
  }
  const wrong = formErrors.find(({ field }) => field === name)
  return html`<div class="field"><label for="${name}"><code>${name}</code></label>${hint}
${wrong && html`<p class="wrong" id="${name}-wrong">${wrong.text}</p>`}
${input(name, { control, text: textOf(name, control, value), isWrong: wrong !== undefined })}</div>`
}

/** A text whose parts between backticks are code. */
function withCode(text: string): Html[] {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
}

interface Input {
  control: Exclude<Control, 'checkbox'>
  text: string
  isWrong: boolean
}

function input(name: SettingName, { control, text, isWrong }: Input): Html {
  const described = isWrong ? `${name}-hint ${name}-wrong` : `${name}-hint`
  const common = html`id="${name}" name="${name}" aria-describedby="${described}"${isWrong && html` aria-invalid="true"`}`
  if (control === 'list' || control === 'lines') {
    return html`<textarea ${common} rows="${control === 'list' ? 3 : 6}">
${text}</textarea>`
  }
  if (typeof control === 'object') {
    const options = control.words.map(
      (word) => html`<option${word === text && html` selected`}>${word}</option>`,
    )
    return html`<select ${common}>${options}</select>`
  }
  return html`<input ${common} type="text"${attributes[control]} value="${text}" autocomplete="off">`
}

function textOf(name: SettingName, control: Control, value: unknown): string {
  if (value === null || value === undefined) {
    return typeof control === 'object' ? wordOfNone(name, control.words) : ''
  }
  return Array.isArray(value) ? value.join('\n') : String(value)
}

/** The word that stands for no value: without one selected, browsers send the first. */
function wordOfNone(name: SettingName, words: readonly string[]): string {
  return words.find((word) => settingOf(name).field.safeParse(word).data === null) ?? ''
}

/** The value that a form sends for a setting, as the API takes it; undefined to leave it. */
export function submittedValue(name: SettingName, form: Form): unknown {
  const control = controlOf(name)
  if (control === 'checkbox') return form.isChecked(name)
  const text = form.text(name)
  if (text === '' && fieldMeta(settingOf(name).field)?.blankIsAbsent) return undefined
  if (control !== 'list') return text
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
