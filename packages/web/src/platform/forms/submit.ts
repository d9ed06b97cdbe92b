import { StithyError } from '@stithy/client'
import { isUnsendable } from './unsendable.ts'

/** What is wrong with a form, and the id of the field that it is about; '' for the whole form. */
export interface FormError {
  field: string
  text: string
}

/** The outcome of a call that a form asked for. */
export type Submission<T> = { ok: true; value: T } | { ok: false; formErrors: FormError[] }

/** Refusals that a form is shown again for, with what was typed. */
const formStatuses = new Set([400, 403, 405, 409, 413, 422, 429])

/**
 * Makes the call that a form asked for. Refusals that people can do something about become errors of
 * the form; all others are thrown.
 * @param fields ids of the form's fields, by the parameter of the API
 */
export async function submit<T>(
  call: PromiseLike<T>,
  fields: Readonly<Record<string, string>> = {},
): Promise<Submission<T>> {
  try {
    return { ok: true, value: await call }
  } catch (error) {
    if (!(error instanceof StithyError) || !isRefusal(error)) throw error
    return { ok: false, formErrors: formErrorsOf(error, fields) }
  }
}

/** Some endpoints answer 404 to values that they refuse, and name them. */
function isRefusal(error: StithyError): boolean {
  const { status, fields } = error
  return formStatuses.has(status ?? 0) || Object.keys(fields).length > 0 || isUnsendable(error)
}

function formErrorsOf(error: StithyError, fields: Readonly<Record<string, string>>): FormError[] {
  const named = Object.entries(error.fields).flatMap(([name, texts]) =>
    texts.map((text) => ({
      field: fields[name] ?? '',
      text: sentence(`${name.replaceAll('_', ' ')} ${text}`),
    })),
  )
  return named.length > 0 ? named : [{ field: '', text: sentence(error.message) }]
}

function sentence(text: string): string {
  const [first = ''] = text
  const rest = text.slice(first.length)
  return `${first.toUpperCase()}${rest}${rest.endsWith('.') ? '' : '.'}`
}
