const units = new Set(
  [
    's sec secs second seconds m min mins minute minutes h hr hrs hour hours',
    'd day days w wk wks week weeks mo mos month months y yr yrs year years',
  ]
    .join(' ')
    .split(' '),
)

/** Whether a value is a duration: `30` (seconds), `1 day`, `3 mins 4 sec`, `2h20min`, `never`. */
export function isDuration(value: unknown): boolean {
  if (typeof value === 'number') return value >= 0
  if (typeof value !== 'string' || value.length > 255) return false
  const words = value.toLowerCase().trim()
  if (words === 'never') return true
  const parts = words.match(/\d+|[a-z]+|[^\da-z\s,.]/g) ?? []
  let number = false
  for (const part of parts) {
    if (/^\d/.test(part)) number = true
    else if (number && units.has(part)) number = false
    else if (part !== 'and') return false
  }
  return parts.some((part) => /^\d/.test(part)) && (!number || parts.length === 1)
}
