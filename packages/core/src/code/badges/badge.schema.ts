import { z } from 'zod'

const urls = {
  link_url: z.string(),
  image_url: z.string(),
  rendered_link_url: z.string(),
  rendered_image_url: z.string(),
}

/** A badge that is not stored, with its placeholders replaced. */
export const BadgePreview = z.object(urls)
export type BadgePreview = z.output<typeof BadgePreview>

/** An image on the page of a project that links to somewhere. */
export const Badge = z.object({ id: z.int(), ...urls, kind: z.enum(['project', 'group']) })
export type Badge = z.output<typeof Badge>
