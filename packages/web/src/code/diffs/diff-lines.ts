import type { DiffEntry } from '@stithy/core'
import { Html, html } from '../../platform/html/html.ts'
import { formatCount } from '../../platform/text/numbers.ts'
import { type DiffPlace, placeOf } from './diff-entry.ts'
import type { DiffLine, Hunk } from './hunks.ts'

/** What pages add to the lines of a diff. */
export interface DiffSlots {
  /** Below a line, across the whole width: its comments. */
  below?: (line: DiffPlace) => Html | undefined
  /** Beside the number of a line, visible when it is pointed at or focused: a link to comment. */
  action?: (line: DiffPlace) => Html | undefined
}

interface Lines {
  entry: DiffEntry
  /** Id of the file in the page. */
  anchor: string
  hunks: readonly Hunk[]
  slots: DiffSlots
}

/** The longest part of a line that is shown, in characters. */
const maxShown = 2000

const signs = { added: 'added', removed: 'removed', context: '' } as const

const inlineColumns = html`<colgroup><col class="numbers"><col class="numbers"><col class="signs"><col></colgroup>`
const parallelColumns = html`<colgroup><col class="numbers"><col><col class="numbers"><col></colgroup>`

/** Each line once, with both numbers. */
export function inlineLines({ entry, anchor, hunks, slots }: Lines): Html {
  const rowOf = (line: DiffLine) => {
    const place = placeOf(entry, anchor, line)
    const number = line.newLine ?? line.oldLine
    // Digits alone, which need no escaping, in each of many lines.
    const code = new Html(place.code)
    return html`<tr class="${line.kind}" id="${code}"><td class="number">${line.oldLine}</td><td class="number">${line.newLine}</td><td class="sign">${slots.action?.(place)}<a href="#${code}" aria-label="Line ${number} ${signs[line.kind]}"></a></td><td class="text">${lineText(line)}</td></tr>
${belowRow(slots.below?.(place), 4)}`
  }
  return html`<table class="diff" aria-label="${entry.new_path}">${inlineColumns}<tbody>${hunks.map(
    (hunk) => html`${hunkRow(hunk, 4)}${hunk.lines.map(rowOf)}`,
  )}</tbody></table>`
}

/** Old lines beside those that replace them. */
export function parallelLines({ entry, anchor, hunks, slots }: Lines): Html {
  const cells = (line: DiffLine | undefined, side: 'old' | 'new') => {
    if (line === undefined) return html`<td class="number"></td><td class="text none"></td>`
    const { code } = placeOf(entry, anchor, line)
    const number = side === 'old' ? line.oldLine : line.newLine
    const isContext = line.kind === 'context'
    const id = isContext && side === 'new' ? undefined : html` id="${code}"`
    const action = isContext && side === 'old' ? undefined : slots.action
    return html`<td class="number ${line.kind}"${id}>${action?.(placeOf(entry, anchor, line))}<a href="#${code}" aria-label="Line ${number} ${signs[line.kind]}">${number}</a></td><td class="text ${line.kind}">${lineText(line)}</td>`
  }
  const rowOf = ([before, after]: LinePair) => {
    const shown = before === after ? [before] : [before, after]
    const below = shown.map((line) => line && slots.below?.(placeOf(entry, anchor, line)))
    return html`<tr>${cells(before, 'old')}${cells(after, 'new')}</tr>
${below.map((each) => belowRow(each, 4) ?? html``)}`
  }
  return html`<table class="diff parallel" aria-label="${entry.new_path}">${parallelColumns}<tbody>${hunks.map(
    (hunk) => html`${hunkRow(hunk, 4)}${pairLines(hunk.lines).map(rowOf)}`,
  )}</tbody></table>`
}

type LinePair = readonly [DiffLine | undefined, DiffLine | undefined]

/** Lines that stand beside each other; those that didn't change stand beside themselves. */
export function pairLines(lines: readonly DiffLine[]): LinePair[] {
  const pairs: LinePair[] = []
  let removed: DiffLine[] = []
  let added: DiffLine[] = []
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
      pairs.push([removed[at], added[at]])
    }
    removed = []
    added = []
  }
  for (const line of lines) {
    if (line.kind === 'removed') {
      if (added.length > 0) flush()
      removed.push(line)
    } else if (line.kind === 'added') {
      added.push(line)
    } else {
      flush()
      pairs.push([line, line])
    }
  }
  flush()
  return pairs
}

function hunkRow({ range, section }: Hunk, columns: number): Html {
  return html`<tr class="hunk"><td colspan="${columns}">${range} ${section}</td></tr>`
}

function belowRow(content: Html | undefined, columns: number): Html | undefined {
  return content && html`<tr class="below"><td colspan="${columns}">${content}</td></tr>`
}

function lineText({ text, changed, isUnterminated }: DiffLine): Html {
  if (text.length > maxShown) {
    return html`${text.slice(0, maxShown)}<span class="cut">… ${formatCount(text.length)} characters</span>`
  }
  const end = isUnterminated === true && html`<span class="cut">no line break at the end</span>`
  if (changed === undefined) return html`${text}${end}`
  const [from, to] = changed
  const part = text.slice(from, to)
  return html`${text.slice(0, from)}${part !== '' && html`<mark>${part}</mark>`}${text.slice(to)}${end}`
}
