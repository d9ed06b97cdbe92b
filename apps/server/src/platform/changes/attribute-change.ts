/** A setting before and after a change; null for none. */
export interface AttributeChange {
  name: string
  from: string | null
  to: string | null
}

type Value = string | number | null | undefined

/** Which of the named columns a change sets to another value; columns that it leaves out stay. */
export function attributeChanges<Name extends string>(
  before: Readonly<Partial<Record<Name, Value>>>,
  changes: Readonly<Partial<Record<Name, Value>>>,
  names: readonly Name[],
): AttributeChange[] {
  return names.flatMap((name) => {
    const to = changes[name]
    if (to === undefined || to === before[name]) return []
    return [{ name, from: textOf(before[name]), to: textOf(to) }]
  })
}

function textOf(value: Value): string | null {
  return value === undefined || value === null ? null : String(value)
}
