import type { Form } from './form.ts'
import type { FormError } from './submit.ts'

/** A form that was refused and is shown again. */
export interface FailedForm {
  /** Which of the forms of the page it is. */
  name: string
  form: Form
  formErrors: readonly FormError[]
}

/**
 * What the fields of one of several forms of a page show: what was typed if it is shown again, else
 * what is stored. Ids begin with the name of the form, so that they are unique on the page.
 */
export class FormView {
  readonly #name: string
  readonly #failed: FailedForm | undefined

  constructor(name: string, failed: FailedForm | undefined) {
    this.#name = name
    this.#failed = failed?.name === name ? failed : undefined
  }

  /** Attributes of a field for a text, a number or a choice. */
  text(name: string, stored?: string | number | null) {
    return {
      id: fieldId(this.#name, name),
      name,
      value: this.#failed?.form.text(name) ?? String(stored ?? ''),
      formErrors: this.#failed?.formErrors ?? [],
    }
  }

  /** Attributes of a checkbox. */
  check(name: string, stored = false) {
    const isChecked = this.#failed?.form.isChecked(name) ?? stored
    return { id: fieldId(this.#name, name), name, isChecked }
  }

  /** Attributes of one checkbox of several with the same name. */
  choice(name: string, value: string, stored = false) {
    const isChecked = this.#failed?.form.texts(name).includes(value) ?? stored
    return { id: fieldId(this.#name, `${name}-${value}`), name: `${name}[]`, value, isChecked }
  }
}

function fieldId(form: string, field: string): string {
  return `${form}-${field}`
}

/** The ids of the fields of a form by their parameters, for `submit`. */
export function fieldIds(form: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, fieldId(form, name)]))
}

/** What is wrong with the fields of a form that must hold whole numbers, by their labels. */
export function numberErrors(
  name: string,
  form: Form,
  labels: Readonly<Record<string, string>>,
): FormError[] {
  return Object.entries(labels).flatMap(([field, label]) =>
    form.number(field) === undefined
      ? [{ field: fieldId(name, field), text: `${label} must be a whole number.` }]
      : [],
  )
}
