/** Milliseconds with one digit after the point. */
export function toTenths(milliseconds: number): string {
  return milliseconds.toFixed(1)
}

export function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(ratio < 0.1 ? 1 : 0)} %`
}

export function reachedOrMissed(reached: boolean): string {
  return reached ? 'reached' : 'missed'
}

/** A Markdown table. */
export function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [row(head), row(head.map(() => '---')), ...lines.map(row)].join('\n')
}
