import { type Html, html } from '../../platform/html/html.ts'

/** Readable on both grounds; the names stand beside them. */
const colors = [
  '#3178c6',
  '#c98a00',
  '#2f8f5b',
  '#b5447d',
  '#7d5bd0',
  '#c2552d',
  '#1d8a99',
  '#6b7d1f',
] as const

/** Further languages are summed up. */
const maxShown = 7

interface Share {
  name: string
  percent: number
}

/** The languages of a project as a bar, and their names with the shares. */
export function languageBar(shares: Readonly<Record<string, number>>): Html | undefined {
  const languages = topOf(shares)
  if (languages.length === 0) return undefined
  let x = 0
  const bars = languages.map(({ percent }, at) => {
    const bar = html`<rect x="${x}" width="${percent}" height="1" fill="${colorOf(at)}"/>`
    x += percent
    return bar
  })
  const items = languages.map(
    ({ name, percent }, at) =>
      html`<li><svg viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill="${colorOf(at)}"/></svg>${name} ${percent} %</li>`,
  )
  return html`<svg class="language-bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">${bars}</svg><ul class="languages">${items}</ul>`
}

function colorOf(at: number): string {
  return colors[at % colors.length] ?? colors[0]
}

function topOf(shares: Readonly<Record<string, number>>): Share[] {
  const all = Object.entries(shares).map(([name, percent]) => ({ name, percent }))
  const top = all.slice(0, maxShown)
  const rest = all.slice(maxShown).reduce((sum, { percent }) => sum + percent, 0)
  return rest > 0 ? [...top, { name: 'Other', percent: Math.round(rest * 100) / 100 }] : top
}
