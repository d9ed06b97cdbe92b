import { Html, html } from '@stithy/web'
import { type EmojiCode, findEmojiCodes } from './emoji.ts'

/** A short text as HTML, in which emoji codes such as `:tada:` become emoji, and nothing else. */
export function emojiHtml(text: string): Html {
  let from = 0
  const parts: Html[] = []
  for (const code of findEmojiCodes(text)) {
    parts.push(html`${text.slice(from, code.start)}`, emojiElement(code))
    from = code.end
  }
  return new Html([...parts, html`${text.slice(from)}`].map((part) => part.text).join(''))
}

function emojiElement({ emoji: { name, glyph, description } }: EmojiCode): Html {
  return html`<gl-emoji title="${description}" data-name="${name}">${glyph}</gl-emoji>`
}
