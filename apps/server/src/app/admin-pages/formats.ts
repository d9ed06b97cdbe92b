const numbers = new Intl.NumberFormat('en-US')
const decimals = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })
const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** A count with thousands separators: `1,234`. */
export function formatCount(count: number): string {
  return numbers.format(count)
}

/** A size: `1.5 MiB`. */
export function formatBytes(bytes: number): string {
  let [size, unit] = [bytes, 0]
  while (size >= 1024 && unit < units.length - 1) [size, unit] = [size / 1024, unit + 1]
  return `${decimals.format(size)} ${units[unit]}`
}

/** A time in UTC to the minute: `2020-02-29 12:34`. @param at milliseconds since the epoch */
export function formatTime(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}
