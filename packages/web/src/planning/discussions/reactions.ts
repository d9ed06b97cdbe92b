import type { AwardCount } from '@stithy/core'
import { csrfField } from '../../platform/design/form-fields.ts'
import { icon } from '../../platform/design/icon.ts'
import { menu } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { plural } from '../../platform/text/numbers.ts'

/** The emoji that the menu offers; the API takes all. */
const offered = [
  ['thumbsup', '👍'],
  ['thumbsdown', '👎'],
  ['smile', '😄'],
  ['tada', '🎉'],
  ['heart', '❤️'],
  ['rocket', '🚀'],
  ['eyes', '👀'],
  ['thinking', '🤔'],
] as const

interface Reactions {
  call: Pick<PageCall, 'csrfToken'>
  /** Address of the thing whose awards these are, or whose notes have them. */
  address: string
  /** Undefined for the thing itself. */
  noteId?: number
  awards: readonly AwardCount[]
  mayAward: boolean
}

/** The emoji that a thing or note was given: each a button to give it, or to take it back. */
export function reactions(view: Reactions): Html | undefined {
  const { call, address, noteId, awards, mayAward } = view
  const own = awards.filter(
    (award) =>
      (award.awardable_type === 'Note') === (noteId !== undefined) &&
      (noteId === undefined || award.awardable_id === noteId),
  )
  if (!mayAward)
    return own.length === 0 ? undefined : html`<div class="reactions">${own.map(still)}</div>`
  const given = new Set(own.map(({ name }) => name))
  const add = offered.filter(([name]) => !given.has(name))
  return html`<form class="reactions" method="post" action="${address}/award_emoji">${csrfField(call)}${
    noteId !== undefined && html`<input type="hidden" name="note_id" value="${noteId}">`
  }${own.map(button)}${menu({
    summary: icon('smiley'),
    label: 'Add a reaction',
    align: 'start',
    items: add.map(
      ([name, glyph]) =>
        html`<button name="name" value="${name}" aria-label="React with ${name}" title="${name}">${glyph}</button>`,
    ),
  })}</form>`
}

function still({ name, unicode, count }: AwardCount): Html {
  return html`<span class="badge" title="${name}">${unicode} ${count}</span>`
}

function button({ name, unicode, count, award_id: id }: AwardCount): Html {
  const label = `${name}, ${plural(count, 'reaction')}`
  return id === null
    ? html`<button name="name" value="${name}" aria-pressed="false" aria-label="${label}" title="${name}">${unicode} ${count}</button>`
    : html`<button name="award_id" value="${id}" aria-pressed="true" aria-label="${label}" title="Take ${name} back">${unicode} ${count}</button>`
}
