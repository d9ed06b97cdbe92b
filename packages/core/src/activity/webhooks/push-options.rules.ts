/**
 * Push options as in webhook payloads: `merge_request.target=main` is `target` of `merge_request`.
 */
export type PushOptionTree = Record<string, true | string | Record<string, true | string>>

/**
 * Groups the options of a push by the part before the first dot. One without a value is `true`; the
 * last of several with the same name counts, and a name with parts wins over the same name without.
 */
export function pushOptionTree(options: readonly string[]): PushOptionTree {
  const tree = new Map<string, true | string | Map<string, true | string>>()
  for (const option of options) {
    const [, name = '', text] = /^([^=]*)(?:=(.*))?$/s.exec(option) ?? []
    const value = text ?? true
    const dot = name.indexOf('.')
    const [group, part] = dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)]
    const known = tree.get(group)
    if (part === '') {
      if (!(known instanceof Map)) tree.set(group, value)
    } else if (known instanceof Map) {
      known.set(part, value)
    } else {
      tree.set(group, new Map([[part, value]]))
    }
  }
  return Object.fromEntries(
    [...tree].map(([name, value]) => [
      name,
      value instanceof Map ? Object.fromEntries(value) : value,
    ]),
  )
}
