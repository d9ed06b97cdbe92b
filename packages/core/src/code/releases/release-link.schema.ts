import { z } from 'zod'
import { nonEmptyText, type TextOptions } from '../../platform/contract/fields.ts'
import { maxUrlLength, nameText } from '../../platform/contract/text-options.ts'
import { linkPattern } from '../../platform/contract/web-urls.ts'
import { linkSchemes } from './release-link.rules.ts'

/** A link from a release to a file or page. */
export const ReleaseLink = z.object({
  id: z.int(),
  name: z.string(),
  url: z.string(),
  /** False for URLs within the project itself. */
  external: z.boolean(),
})
export type ReleaseLink = z.output<typeof ReleaseLink>

/** The address of a link, without a user name or password. */
export const linkUrl: TextOptions = {
  rules: {
    maxLength: maxUrlLength,
    format: 'uri',
    pattern: linkPattern(linkSchemes),
  },
}

/** Fields of a new link. */
export const NewReleaseLink = z.object({ name: nonEmptyText(nameText), url: nonEmptyText(linkUrl) })
export type NewReleaseLink = z.output<typeof NewReleaseLink>
