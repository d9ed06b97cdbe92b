import { type Badge, type BadgePreview, type BadgeValues, renderBadgeUrl } from '@stithy/core'
import type { BadgeColumns, BadgeRow } from '@stithy/store'

/** Presents a badge; without values, as in a group, placeholders are left as they are. */
export function presentBadge(row: BadgeRow, values: BadgeValues | undefined): Badge {
  const kind = row.projectId === null ? 'group' : 'project'
  return { id: row.id, ...renderUrls(row, values), kind }
}

/** The URLs of a badge, as they are and with their placeholders replaced. */
export function renderUrls(
  { linkUrl, imageUrl }: BadgeColumns,
  values: BadgeValues | undefined,
): BadgePreview {
  return {
    link_url: linkUrl,
    image_url: imageUrl,
    rendered_link_url: values === undefined ? linkUrl : renderBadgeUrl(linkUrl, values),
    rendered_image_url: values === undefined ? imageUrl : renderBadgeUrl(imageUrl, values),
  }
}
