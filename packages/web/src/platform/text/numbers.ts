import { lazy } from '@stithy/core/lazy'

const counts = lazy(() => new Intl.NumberFormat('en'))
const one = lazy(() => new Intl.NumberFormat('en', { maximumFractionDigits: 1 }))

/** A number with separators: `1,234`. */
export function formatCount(value: number): string {
  return counts().format(value)
}

/** A number and its noun: `1 commit`, `2 commits`. */
export function plural(value: number, noun: string, nouns = `${noun}s`): string {
  return `${formatCount(value)} ${value === 1 ? noun : nouns}`
}

const sizes = ['KiB', 'MiB', 'GiB', 'TiB'] as const

/** A size in bytes for people: `1.5 MiB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return plural(bytes, 'byte')
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), sizes.length)
  return `${one().format(bytes / 1024 ** power)} ${sizes[power - 1]}`
}
