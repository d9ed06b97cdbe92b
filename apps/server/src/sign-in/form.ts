/** A text of a decoded form: `formText(body, 'user', 'login')` reads `user[login]`; '' without one. */
export function formText(body: unknown, ...path: readonly string[]): string {
  const value = formValue(body, path)
  return typeof value === 'string' ? value : ''
}

/** The texts of a list of a decoded form, such as ticked boxes. */
export function formTexts(body: unknown, ...path: readonly string[]): string[] {
  const value = formValue(body, path)
  const list = Array.isArray(value) ? value : []
  return list.filter((item): item is string => typeof item === 'string')
}

/** Whatever stands there in decoded parameters; undefined where nothing does. */
export function formValue(body: unknown, path: readonly string[]): unknown {
  let value = body
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string, unknown>)[step]
  }
  return value
}
