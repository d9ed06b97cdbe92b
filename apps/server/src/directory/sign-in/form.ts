import { DomainError } from '@stithy/core'
import type { Params } from '../../platform/http/nested-params.ts'

/**
 * Reads a text from a decoded form: `formText(body, 'user', 'login')` reads `user[login]`; '' when
 * absent.
 */
export function formText(body: unknown, ...path: readonly string[]): string {
  const value = formValue(body, path)
  return typeof value === 'string' ? value : ''
}

/** The fields of a decoded form; undefined for any other body. */
export function formFields(body: unknown): Params | undefined {
  return typeof body === 'object' && body !== null ? (body as Params) : undefined
}

/** Reads a list of texts from a decoded form, such as checked boxes. */
export function formTexts(body: unknown, ...path: readonly string[]): string[] {
  const value = formValue(body, path)
  const list = Array.isArray(value) ? value : []
  return list.filter((item): item is string => typeof item === 'string')
}

/** The id in the path of an action on a row of a page. @throws DomainError `not_found` */
export function rowId(params: unknown): number {
  const id = formText(params, 'id')
  if (!/^\d{1,15}$/.test(id)) throw new DomainError('not_found')
  return Number(id)
}

/** Reads a value at a path of decoded parameters; undefined when absent. */
export function formValue(body: unknown, path: readonly string[]): unknown {
  let value = body
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string, unknown>)[step]
  }
  return value
}
