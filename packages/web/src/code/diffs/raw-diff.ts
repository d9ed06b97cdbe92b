import { type RawDiffFormat, rawDiffFormats } from '@stithy/core'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { forward, type Reply } from '../../platform/pages/reply.ts'

/** The name before the ending of an address that asks for a diff as text: `1.patch`. */
export interface RawDiffAddress {
  name: string
  format: RawDiffFormat
}

/** Undefined for the address of a page. @param name what may be before the ending */
export function rawDiffAddress(segment: string, name: RegExp): RawDiffAddress | undefined {
  const format = rawDiffFormats.find((each) => segment.endsWith(`.${each}`))
  if (format === undefined) return undefined
  const before = segment.slice(0, -format.length - 1)
  return name.test(before) ? { name: before, format } : undefined
}

/** Forwards a diff. */
export async function sendRawDiff(
  { content }: Pick<PageCall, 'content'>,
  load: (options: { content: { isHead: boolean } }) => Promise<Response>,
): Promise<Reply> {
  return forward(await load({ content: { isHead: content.isHead === true } }))
}

/** Links to the diff of a page as text. */
export function rawDiffLinks(address: string): Html {
  return html`<a href="${address}.diff">Plain diff</a> <a href="${address}.patch">Email patches</a>`
}
